import { expect, test } from 'vitest';
import { serverMetadata } from '../../src/authorization/server-metadata.ts';
import { hardeningOf } from '../replicas.ts';

const AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'];
const METADATA = {
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
  token_endpoint_auth_methods_supported: AUTHENTICATION,
  introspection_endpoint_auth_methods_supported: AUTHENTICATION,
  revocation_endpoint_auth_methods_supported: AUTHENTICATION,
  code_challenge_methods_supported: ['S256', 'plain'],
  authorization_response_iss_parameter_supported: false,
  ui_locales_supported: ['en', 'de', 'ar'],
};

test('the metadata has the routes and their parameters', () => {
  expect(serverMetadata('https://api.test', hardeningOf())).toEqual(METADATA);
});

test('the metadata follows the hardening', () => {
  const metadataOf = (name: string) => serverMetadata('https://api.test', hardeningOf({ [name]: 'on' }));
  expect(metadataOf('OAUTH2_REQUIRE_S256')).toEqual({
    ...METADATA,
    code_challenge_methods_supported: ['S256'],
  });
  expect(metadataOf('OAUTH2_CALLBACK_ISSUER')).toEqual({
    ...METADATA,
    authorization_response_iss_parameter_supported: true,
  });
});
