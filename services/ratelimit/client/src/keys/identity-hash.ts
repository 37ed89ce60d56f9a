import { createHmac, randomBytes } from 'node:crypto';

export type HashIdentity = (identity: string) => string;

/**
 * Makes a function that hashes login names, email addresses and credentials for keys: the first half of an
 * HMAC-SHA256. Without the secret, a reader of the store cannot test guesses.
 *
 * @param secret a random one by default, for a store in this process
 */
export function identityHash(secret: string | undefined): HashIdentity {
  const key = secret === undefined ? randomBytes(32) : Buffer.from(secret);
  return (identity) =>
    createHmac('sha256', key).update(identity).digest().subarray(0, 16).toString('base64url');
}
