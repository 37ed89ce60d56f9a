import { expect, test } from 'vitest';
import { serverMetadata } from '../src/authorization/server-metadata.ts';

test('the metadata names the routes, and what they take', () => {
  const authentication = ['client_secret_basic', 'client_secret_post'];
  expect(serverMetadata('https://api.test')).toEqual({
    issuer: 'https://api.test',
    authorization_endpoint: 'https://api.test/api/v1/oauth2/authorize',
    token_endpoint: 'https://api.test/api/v1/oauth2/token',
    introspection_endpoint: 'https://api.test/api/v1/oauth2/introspect',
    revocation_endpoint: 'https://api.test/api/v1/oauth2/token/revoke',
    userinfo_endpoint: 'https://api.test/api/v1/oauth2/userinfo',
    scopes_supported: ['identify', 'email', 'guilds', 'connections', 'bot'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: authentication,
    introspection_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: false,
  });
});
