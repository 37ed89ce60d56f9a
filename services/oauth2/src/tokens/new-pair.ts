import { credentialHash, newSecret } from '../credentials.ts';

/** What is stored of a new pair: hashes are SHA-256, in hex. */
export interface StoredPair {
  readonly access_id: string;
  readonly access_hash: string;
  readonly refresh_id: string;
  readonly refresh_hash: string;
}

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
