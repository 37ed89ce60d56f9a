import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { secretUnreadable } from '../errors.ts';

/** What has to be readable again is kept sealed: a copy of the database alone tells nothing. */
export interface Seals {
  /** AES-256-GCM; the context (such as "totp:ACCOUNT_ID") has to be the same when it is opened. */
  seal(text: string, context: string): Buffer;
  /** @throws SERVICE_UNAVAILABLE when it was sealed under a key that is not configured here */
  open(sealed: Buffer, context: string): string;
  /** HMAC-SHA256 under each key, the newest first: to find what was kept under any of them. */
  macs(text: string, context: string): [newest: Buffer, ...older: Buffer[]];
  /** The fingerprints of all keys, the newest first; they tell nothing of the keys. */
  readonly keys: readonly [newest: string, ...older: string[]];
  /** The fingerprint of the key that something was sealed under, configured here or not. */
  keyOf(sealed: Buffer): string;
}

/** What is sealed begins with its key's fingerprint. */
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  readonly id: Buffer;
  readonly seal: Buffer;
  readonly mac: Buffer;
}

/** Seals under the first of the secrets and opens what was sealed under any of them. */
export function openSeals(secrets: readonly string[]): Seals {
  // A key that is listed twice is one: what counts keys counts on that.
  const keys = [...new Set(secrets)].map(keyOf);
  const [newest, ...older] = keys;
  if (newest === undefined) throw new RangeError('there must be a secret');

  return {
    seal: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.seal, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([newest.id, nonce, sealed, cipher.getAuthTag()]);
    },
    open: (sealed, context) => {
      const key = keys.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)));
      if (key === undefined) throw secretUnreadable();
      const nonce = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key.seal, nonce).setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const text = decipher.update(sealed.subarray(KEY_ID_BYTES + NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
    macs: (text, context) => {
      const macOf = ({ mac }: Key) => createHmac('sha256', mac).update(`${context}\0${text}`).digest();
      return [macOf(newest), ...older.map(macOf)];
    },
    keys: [fingerprint(newest), ...older.map(fingerprint)],
    keyOf: (sealed) => sealed.toString('hex', 0, KEY_ID_BYTES),
  };
}

function fingerprint({ id }: Key): string {
  return id.toString('hex');
}

function keyOf(secret: string): Key {
  return {
    id: hash('sha256', `key id ${secret}`, 'buffer').subarray(0, KEY_ID_BYTES),
    seal: Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse auth seal', 32)),
    mac: Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse auth mac', 32)),
  };
}
