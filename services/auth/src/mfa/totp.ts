import { inTransaction } from '@gatehouse/kit/db/transaction';
import { HOTP, Secret } from 'otpauth';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import type { EncryptedTable } from '../encryption/encrypted-table.ts';
import {
  insertTotpFactor,
  lockTotpSecretForUse,
  markStepsUnderNewestKey,
  pageTotpSecrets,
  replaceTotpSecrets,
  useTotpStep,
} from '../store/mfa/totp-factors.ts';

// The parameters of RFC 6238 that every authenticator app supports.
const ALGORITHM = 'SHA1';
const DIGITS = 6;
const STEP_MS = 30_000;
/** A client's clock may be off by one step (RFC 6238 §5.2). */
const WINDOW = 1;

const SECRET_MIN_BYTES = 10;
const SECRET_MAX_BYTES = 64;

export function isTotpCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/**
 * A secret in its stored form: base32 in upper case, without blanks and padding. Undefined if it is malformed or does
 * not have 80 to 512 bits.
 */
export function readTotpSecret(text: string): string | undefined {
  // At most six (RFC 4648 §6). An unbounded search takes seconds in a long text of `=`.
  const secret = text
    .replace(/\s+/g, '')
    .replace(/={1,6}$/, '')
    .toUpperCase();
  const bytes = Math.floor((secret.length * 5) / 8);
  const leftover = secret.length % 8; // 1, 3 or 6 characters end within a byte
  if (!/^[A-Z2-7]*$/.test(secret) || leftover === 1 || leftover === 3 || leftover === 6) return undefined;
  return bytes < SECRET_MIN_BYTES || bytes > SECRET_MAX_BYTES ? undefined : secret;
}

/** Uses up the step of a code. Returns false if the code is wrong or its step was used before. */
export async function useTotp(
  tx: PoolClient,
  { encryption, clock }: Pick<Deps, 'encryption' | 'clock'>,
  account_id: string,
  code: string,
): Promise<boolean> {
  const secret = await lockTotpSecretForUse(tx, account_id);
  if (secret === undefined) return false;
  const context = encryptionContext(account_id);
  const base32 = encryption.decrypt(secret, context);
  const secret_macs = encryption.macs(base32, context);
  for (const step of matchingSteps(base32, code, clock())) {
    if (await useTotpStep(tx, { account_id, secret_macs, step })) return true;
  }
  return false;
}

/** Enables TOTP with this secret. Returns false if it is enabled already. */
export function addTotp(
  tx: PoolClient,
  { encryption }: Pick<Deps, 'encryption'>,
  account_id: string,
  base32: string,
): Promise<boolean> {
  return insertTotpFactor(tx, account_id, encryption.encrypt(base32, encryptionContext(account_id)));
}

/** Used steps are marked under the newest key too, because a replica may have no other key. */
export const encryptedTotpSecrets: EncryptedTable = {
  name: 'totp_factors',
  context: encryptionContext,
  page: pageTotpSecrets,
  reencrypt: (db, encryption, values) =>
    inTransaction(db, async (tx) => {
      const replacements = values.map(({ id, encrypted, text }) => ({
        id,
        before: encrypted,
        after: encryption.encrypt(text, encryptionContext(id)),
      }));
      const replaced = await replaceTotpSecrets(tx, replacements);
      const replacedValues = new Set(replaced.map((before) => before.toString('hex')));
      const macs = values
        .filter(({ encrypted }) => replacedValues.has(encrypted.toString('hex')))
        .flatMap(({ id, text }) => {
          const [newest, ...older] = encryption.macs(text, encryptionContext(id));
          return older.map((mac) => ({ account_id: id, older: mac, newest }));
        });
      await markStepsUnderNewestKey(tx, macs);
      return replaced;
    }),
};

/** The steps around this time with this code: at most one, or by chance more. */
export function matchingSteps(base32: string, code: string, now_ms: number): number[] {
  if (!isTotpCode(code)) return [];
  const secret = Secret.fromBase32(base32);
  const now = stepAt(now_ms);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => now - WINDOW + index);
  return steps.filter((counter) => {
    const guess = { secret, algorithm: ALGORITHM, digits: DIGITS, token: code, counter, window: 0 };
    return HOTP.validate(guess) !== null;
  });
}

function stepAt(now_ms: number): number {
  return Math.floor(now_ms / STEP_MS);
}

/** Binds a secret to its account. */
function encryptionContext(account_id: string): string {
  return `totp:${account_id}`;
}
