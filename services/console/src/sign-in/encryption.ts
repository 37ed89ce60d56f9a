import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { unavailable } from '@gatehouse/kit/fault';

/** Encrypts secrets that must be readable again. A copy of the database alone does not reveal them. */
export interface Encryption {
  /** Encrypts with AES-256-GCM. `context`, such as "totp:NAME", has to be the same for decryption. */
  encrypt(text: string, context: string): Buffer;
  /** @throws SERVICE_UNAVAILABLE if it was encrypted with another key */
  decrypt(encrypted: Buffer, context: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secret CONSOLE_SECRET_KEY */
export function openEncryption(secret: string): Encryption {
  // The label is part of the key, so another one makes all stored values unreadable.
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse console seal', 32));
  return {
    encrypt: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt: (encrypted, context) => {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, NONCE_BYTES));
        decipher.setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(-TAG_BYTES));
        const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}
