import { base32 } from './base32.ts';

/** As long as the digest that it is used with (RFC 4226, section 4). */
const SECRET_BYTES = 20;
const ISSUER = 'Gatehouse';

/** A new secret for an authenticator app, in base32. It is made here, and the server learns it with its first code. */
export function newTotpSecret(): string {
  return base32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** What authenticator apps read from a QR code. Digits, period and digest are those that they assume. */
export function otpauthUri(secret: string, account: string): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(ISSUER)}`;
}

/** In groups of four, for who types it. */
export function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
