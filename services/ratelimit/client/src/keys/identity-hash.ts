import { createHmac, randomBytes } from 'node:crypto';

export type HashIdentity = (identity: string) => string;

/**
 * Login names, e-mail addresses and credentials become part of a key under HMAC-SHA256 alone: who reads
 * the store cannot try addresses without the secret. Half of the digest is kept; 128 bits do not collide. Without
 * a secret, one of this process: its store does not outlive it either.
 */
export function identityHash(secret: string | undefined): HashIdentity {
  const key = secret === undefined ? randomBytes(32) : Buffer.from(secret);
  return (identity) =>
    createHmac('sha256', key).update(identity).digest().subarray(0, 16).toString('base64url');
}
