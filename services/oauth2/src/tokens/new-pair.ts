import { credentialHash, newSecret } from '../credentials.ts';
import type { StoredPair } from '../store/exchange-grants.ts';

/** A new pair of tokens. */
export interface NewPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly stored: StoredPair;
}

export function newPair(ids: () => string): NewPair {
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
