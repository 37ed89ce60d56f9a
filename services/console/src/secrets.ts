import { hash, randomBytes } from 'node:crypto';

/** 32 random bytes in base64url: the token of a session or of a one-time link, or a challenge. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A token for the command line: `gho_` and 32 random bytes. No credential of the public API has this form. */
export function newOperatorToken(): string {
  return `gho_${newSecret()}`;
}

export function isOperatorToken(text: string): boolean {
  return /^gho_[A-Za-z0-9_-]{43}$/.test(text);
}

export function isSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored form of a secret. It has 256 random bits, so the hash need not be slow or salted. */
export function secretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** What the log shows of a secret: the first 16 hexadecimal digits of its SHA-256. */
export function fingerprint(hashed: Buffer): string {
  return hashed.toString('hex', 0, 8);
}
