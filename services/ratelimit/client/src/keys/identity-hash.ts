import { createHmac, randomBytes } from 'node:crypto';

export type HashIdentity = (identity: string) => string;

/**
 * Login names, email addresses and credentials become part of a key only as HMAC-SHA256: a reader of the store cannot
 * try addresses without the secret. Half of the digest is kept; 128 bits do not collide. The default secret is this
 * process's own: its store ends with it too.
 */
export function identityHash(secret: string | undefined): HashIdentity {
  const key = secret === undefined ? randomBytes(32) : Buffer.from(secret);
  return (identity) =>
    createHmac('sha256', key).update(identity).digest().subarray(0, 16).toString('base64url');
}
