import { hash, randomBytes } from 'node:crypto';
import type { NewClientSecret } from './store/client-secrets.ts';

// Client secrets, codes and tokens are 32 random bytes in base64url, stored as one SHA-256.

/** Returns a new client secret, code or token. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A new client secret, and what is stored of it. */
export function newClientSecret(ids: () => string): {
  readonly client_secret: string;
  readonly stored: NewClientSecret;
} {
  const client_secret = newSecret();
  const stored = { id: ids(), hash: clientSecretHash(client_secret), hint: client_secret.slice(-4) };
  return { client_secret, stored };
}

/** The stored hash of a client secret. A fast hash is enough: the secret has 256 random bits. */
function clientSecretHash(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', secret, 'buffer'));
}

export function isAccessToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored hash of a code or token, in hex. */
export function credentialHash(secret: string): string {
  return hash('sha256', secret, 'hex');
}
