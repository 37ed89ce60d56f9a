import * as oauth from 'oauth4webapi';
import { expect, it } from 'vitest';
import { PROXIED, useSharedStack } from '../support/stack.ts';
import { newOauthClient, REDIRECT_URI } from './consent.ts';

const stack = useSharedStack({ ...PROXIED, OAUTH2_ERRORS: 'rfc6749' });

const INSECURE = { [oauth.allowInsecureRequests]: true };

it('a strict client reads why an exchange, an introspection or a revocation was refused', async () => {
  const issuer = new URL(stack.url);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const { client_id, client_secret } = await newOauthClient(stack.api);
  const client = { client_id };
  const [right, wrong] = [oauth.ClientSecretBasic(client_secret), oauth.ClientSecretBasic('wrong')];

  const callback = oauth.validateAuthResponse(
    server,
    client,
    new URLSearchParams({ code: 'none' }),
    oauth.expectNoState,
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const exchange = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    right,
    callback,
    REDIRECT_URI,
    verifier,
    INSECURE,
  );
  const exchanged = oauth.processAuthorizationCodeResponse(server, client, exchange);
  await expect(exchanged).rejects.toMatchObject({
    error: 'invalid_grant',
    status: 400,
    error_description: expect.stringMatching(/^invalid_grant: /),
  });

  const introspection = await oauth.introspectionRequest(server, client, wrong, 'token', INSECURE);
  const introspected = oauth.processIntrospectionResponse(server, client, introspection);
  await expect(introspected).rejects.toMatchObject({ error: 'invalid_client', status: 401 });

  const revocation = await oauth.revocationRequest(server, client, wrong, 'token', INSECURE);
  const revoked = oauth.processRevocationResponse(revocation);
  await expect(revoked).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
});
