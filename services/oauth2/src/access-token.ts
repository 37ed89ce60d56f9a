import { hash } from 'node:crypto';

/** An access token is 32 random bytes in base64url. */
export function isAccessToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** All that is kept of it, in hex. With 256 random bits there is nothing that a slow hash would protect. */
export function accessTokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
