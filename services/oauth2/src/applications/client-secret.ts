import { hash, randomBytes } from 'node:crypto';

/** 32 random bytes in base64url. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** All that is kept of it. With 256 random bits there is nothing that a slow hash would protect. */
export function clientSecretHash(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', secret, 'buffer'));
}
