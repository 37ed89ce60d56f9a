import { credentialHash, newSecret } from '../credentials.ts';

/** A new pair of tokens, with what is stored of it. */
export interface NewPair {
  readonly access_token: string;
  readonly access_id: string;
  /** SHA-256, in hex. */
  readonly access_hash: string;
  readonly refresh_token: string;
  readonly refresh_id: string;
  readonly refresh_hash: string;
}

export function newPair(ids: () => string): NewPair {
  const access_token = newSecret();
  const refresh_token = newSecret();
  return {
    access_token,
    access_id: ids(),
    access_hash: credentialHash(access_token),
    refresh_token,
    refresh_id: ids(),
    refresh_hash: credentialHash(refresh_token),
  };
}
