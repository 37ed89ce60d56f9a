import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A sealed token is: nonce, ciphertext, tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a session's token for its sign-in cookie (AES-256-GCM). The key is made from the cookie's secret, of which the
 * database has only a hash: neither the database nor the cookie alone reveals the token.
 */
export function sealToken(token: string, secret: string, session_id: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(session_id));
  const ciphertext = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]);
}

/** @throws Error if the token was sealed for another secret or session */
export function openToken(sealed: Buffer, secret: string, session_id: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(session_id));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const token = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([token, decipher.final()]).toString('utf8');
}

/** The label is part of the key, so changing it makes all sealed tokens unreadable. */
function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse sign-in cookie', 32));
}
