import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Makes values unreadable in the store: identities, operators and reasons are for operators only. */
export interface Seal {
  seal(value: unknown): Buffer;
  /** Undefined if the value was sealed under another secret, or is damaged. */
  open(sealed: Buffer): unknown;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secret RATELIMIT_KEY_SECRET, the same for all replicas */
export function sealUnder(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse ratelimit overrides', 32));
  return {
    seal: (value) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open: (sealed) => {
      try {
        const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = [decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return JSON.parse(Buffer.concat(text).toString());
      } catch {
        return undefined;
      }
    },
  };
}
