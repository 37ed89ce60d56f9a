import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { secretUnreadable } from '../errors.ts';

/** Encrypts secrets that the service must be able to read again. A copy of the database alone does not reveal them. */
export interface Encryption {
  /**
   * Encrypts a text with AES-256-GCM under the newest key. `context`, such as "totp:ACCOUNT_ID", is
   * authenticated and has to be the same for decryption.
   */
  encrypt(text: string, context: string): Buffer;
  /** @throws SERVICE_UNAVAILABLE if the key of `encrypted` is not configured here */
  decrypt(encrypted: Buffer, context: string): string;
  /** The HMAC-SHA256 of a text under each key, newest first. It finds rows written under any of them. */
  macs(text: string, context: string): [newest: Buffer, ...older: Buffer[]];
  /** The fingerprints of all keys, newest first. A fingerprint reveals nothing about its key. */
  readonly keys: readonly [newest: string, ...older: string[]];
  /** The fingerprint of the key of `encrypted`, whether it is configured here or not. */
  keyOf(encrypted: Buffer): string;
}

/** An encrypted value is: fingerprint of the key, nonce, ciphertext, tag. */
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  readonly id: Buffer;
  readonly cipher: Buffer;
  readonly mac: Buffer;
}

/** Encrypts under the first secret and decrypts under all of them. */
export function openEncryption(secrets: readonly string[]): Encryption {
  // Duplicates are dropped: TOTP steps are marked once per key.
  const keys = [...new Set(secrets)].map(deriveKey);
  const [newest, ...older] = keys;
  if (newest === undefined) throw new RangeError('at least one secret is required');

  return {
    encrypt: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.cipher, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([newest.id, nonce, ciphertext, cipher.getAuthTag()]);
    },
    decrypt: (encrypted, context) => {
      const key = keys.find(({ id }) => id.equals(encrypted.subarray(0, KEY_ID_BYTES)));
      if (key === undefined) throw secretUnreadable();
      const nonce = encrypted.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key.cipher, nonce).setAAD(Buffer.from(context));
      decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
      const text = decipher.update(encrypted.subarray(KEY_ID_BYTES + NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
    macs: (text, context) => {
      const macOf = ({ mac }: Key) => createHmac('sha256', mac).update(`${context}\0${text}`).digest();
      return [macOf(newest), ...older.map(macOf)];
    },
    keys: [fingerprint(newest), ...older.map(fingerprint)],
    keyOf: (encrypted) => encrypted.toString('hex', 0, KEY_ID_BYTES),
  };
}

function fingerprint({ id }: Key): string {
  return id.toString('hex');
}

/** The labels are part of the keys, so changing one makes all stored values unreadable. */
function deriveKey(secret: string): Key {
  return {
    id: hash('sha256', `key id ${secret}`, 'buffer').subarray(0, KEY_ID_BYTES),
    cipher: Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse auth seal', 32)),
    mac: Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse auth mac', 32)),
  };
}
