import { base32 } from './base32.ts';

/** The length of an HMAC-SHA-1 digest (RFC 4226, section 4). */
const SECRET_BYTES = 20;
const ISSUER = 'Gatehouse';

/** A new secret for an authenticator app, in base32. It is made in the browser and sent to the server with the first code. */
export function newTotpSecret(): string {
  return base32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The content of the QR code. Digits, period and digest are the defaults of authenticator apps. */
export function otpauthUri(secret: string, account: string): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(ISSUER)}`;
}

/** In groups of four, for typing. */
export function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
