import { credentialHash, newSecret } from '../credentials.ts';
import type { StoredPair } from '../store/exchange-grants.ts';

/** Lifetime of an access token (docs/oauth2.md#token-response). */
export const ACCESS_TOKEN_SECONDS = 604_800;

interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly stored: StoredPair;
}

export function newTokenPair(ids: () => string): TokenPair {
  const access_token = newSecret();
  const refresh_token = newSecret();
  const stored = {
    access_id: ids(),
    access_hash: credentialHash(access_token),
    refresh_id: ids(),
    refresh_hash: credentialHash(refresh_token),
  };
  return { access_token, refresh_token, stored };
}
