import { randomInt } from 'node:crypto';
import type { BackupCode } from '@gatehouse/proto/auth';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import type { EncryptedTable } from '../encryption/encrypted-table.ts';
import {
  consumeBackupCode,
  deleteBackupCodes,
  findBackupCodes,
  insertBackupCodes,
  pageBackupCodes,
  replaceEncryptedBackupCodes,
} from '../store/mfa/backup-codes.ts';

const CODES_PER_ACCOUNT = 10;
// Crockford's base32: no letter looks like a digit. Ten characters are 50 random bits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 10;

/** Replaces the account's codes by ten new ones, in a transaction that has locked its factors (`lockFactors`). */
export async function replaceBackupCodes(
  tx: PoolClient,
  { encryption }: Pick<Deps, 'encryption'>,
  account_id: string,
): Promise<BackupCode[]> {
  const codes = newCodes();
  await deleteBackupCodes(tx, account_id);
  await insertBackupCodes(
    tx,
    account_id,
    codes.map((plain) => {
      const [newest] = encryption.macs(plain, encryptionContext(account_id));
      return { code_mac: newest, code: encryption.encrypt(plain, encryptionContext(account_id)) };
    }),
  );
  return codes.map((plain) => ({ code: display(plain), consumed: false }));
}

/**
 * Creates ten codes for an account that has none, not even used ones, so that losing a second factor does not lock its
 * owner out. Otherwise does nothing.
 */
export async function createFirstBackupCodes(
  tx: PoolClient,
  deps: Pick<Deps, 'encryption'>,
  account_id: string,
): Promise<BackupCode[]> {
  const stored = await findBackupCodes(tx, account_id);
  return stored.length > 0 ? [] : replaceBackupCodes(tx, deps, account_id);
}

/** The account's codes, in order of creation. */
export async function readBackupCodes(
  db: PoolClient,
  { encryption }: Pick<Deps, 'encryption'>,
  account_id: string,
): Promise<BackupCode[]> {
  const stored = await findBackupCodes(db, account_id);
  return stored.map(({ code, consumed }) => ({
    code: display(encryption.decrypt(code, encryptionContext(account_id))),
    consumed,
  }));
}

/** Uses up a code. Returns false if it is wrong or was used before. */
export async function useBackupCode(
  tx: PoolClient,
  { encryption }: Pick<Deps, 'encryption'>,
  account_id: string,
  code: string,
): Promise<boolean> {
  const plain = normalize(code);
  if (plain.length !== CODE_LENGTH) return false;
  return consumeBackupCode(tx, account_id, encryption.macs(plain, encryptionContext(account_id)));
}

/** The MAC, which identifies the code, must move to the newest key too. */
export const encryptedBackupCodes: EncryptedTable = {
  name: 'backup_codes',
  context: encryptionContext,
  page: pageBackupCodes,
  reencrypt: (db, encryption, values) =>
    replaceEncryptedBackupCodes(
      db,
      values.map(({ id, encrypted, text }) => {
        const [newest] = encryption.macs(text, encryptionContext(id));
        return {
          id,
          before: encrypted,
          after: encryption.encrypt(text, encryptionContext(id)),
          code_mac: newest,
        };
      }),
    ),
};

function newCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < CODES_PER_ACCOUNT) {
    let code = '';
    for (let length = 0; length < CODE_LENGTH; length++) code += ALPHABET[randomInt(ALPHABET.length)];
    codes.add(code);
  }
  return [...codes];
}

/** xxxxx-xxxxx */
function display(plain: string): string {
  return `${plain.slice(0, CODE_LENGTH / 2)}-${plain.slice(CODE_LENGTH / 2)}`;
}

/** Lower case, with letters that look like digits replaced by them (Crockford). */
function normalize(code: string): string {
  return code.toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
}

/** Binds a code to its account. */
function encryptionContext(account_id: string): string {
  return `backup-code:${account_id}`;
}
