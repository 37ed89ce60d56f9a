import type { GetServerMetadataResponse } from '@gatehouse/proto/oauth2';
import { GRANT_TYPES } from '../grants/grant-request.ts';
import type { Hardening } from '../hardening.ts';
import { SCOPES } from '../tokens/scopes.ts';

/** The methods of client authentication (docs/oauth2.md#client-authentication). */
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'];

/** The languages of the consent page: `LANGUAGES` of services/web. */
const UI_LOCALES = ['en', 'de', 'ar'];

/** Authorization server metadata (RFC 8414 §2). */
export function serverMetadata(
  issuer: string,
  { require_s256, callback_issuer }: Pick<Hardening, 'require_s256' | 'callback_issuer'>,
): GetServerMetadataResponse {
  const endpoint = (path: string) => `${issuer}/api/v1/oauth2/${path}`;
  return {
    issuer,
    authorization_endpoint: endpoint('authorize'),
    token_endpoint: endpoint('token'),
    introspection_endpoint: endpoint('introspect'),
    revocation_endpoint: endpoint('token/revoke'),
    userinfo_endpoint: endpoint('userinfo'),
    scopes_supported: [...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...GRANT_TYPES],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: require_s256 ? ['S256'] : ['S256', 'plain'],
    authorization_response_iss_parameter_supported: callback_issuer,
    ui_locales_supported: UI_LOCALES,
  };
}
