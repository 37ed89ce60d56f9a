import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import type { EncryptedRows, ReencryptRequest } from '@gatehouse/proto/auth';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { openEncryption } from '../../src/encryption/encryption.ts';
import { type Auth, type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import { type Person, person, personWithTotp, STEP_MS, standingClock, totpCode } from '../factors.ts';

const OLD = 'the key that was used until yesterday';
const NEW = 'the key that is used from today on';
const LOST = 'a key that nobody has any more';
const [OLD_ID, NEW_ID] = [OLD, NEW].map((key) => openEncryption([key]).keys[0]);
/** An unused port: mail stays in the outbox. */
const NOWHERE = 'smtp://127.0.0.1:1';

const time = standingClock();
const config: { -readonly [Setting in keyof Config]?: Config[Setting] } = {};
let service: AuthUnderTest;
beforeAll(async () => {
  Object.assign(config, { secret_keys: [OLD], smtp_url: NOWHERE });
  service = await startAuth('auth_reencrypt', { config, clock: time.clock });
});
afterAll(() => service.close());
beforeEach(() => Object.assign(config, { secret_keys: [OLD], smtp_url: NOWHERE }));
afterEach(() => service.db.query('TRUNCATE accounts, mails CASCADE'));

const as = ({ caller }: Pick<Person, 'caller'>) => ({ ...IN_TIME, caller });
const start = (...secret_keys: string[]): Promise<Auth> => {
  config.secret_keys = secret_keys;
  return service.restart();
};
const replica = (...secret_keys: string[]): Promise<Auth> => {
  config.secret_keys = secret_keys;
  return service.replica();
};

/** Re-encrypts all pages. Returns the rows by table and key. */
async function reencrypt(
  auth: Auth,
  request: Partial<ReencryptRequest> = {},
): Promise<Record<string, unknown>> {
  const rows: EncryptedRows[] = [];
  let after: string | undefined;
  do {
    const page = await auth.reencrypt({ limit: 2, ...request, after }, IN_TIME);
    rows.push(...page.rows);
    after = page.next ?? undefined;
  } while (after !== undefined);
  const keys = new Set(rows.map(({ table, key }) => `${table} ${key}`));
  return Object.fromEntries(
    [...keys].map((name) => {
      const alike = rows.filter(({ table, key }) => `${table} ${key}` === name);
      const sum = (of: (row: EncryptedRows) => number) => alike.reduce((total, row) => total + of(row), 0);
      const moved = sum((row) => row.moved);
      const unreadable = sum((row) => row.unreadable);
      return [
        name,
        { rows: sum((row) => row.rows), ...(moved && { moved }), ...(unreadable && { unreadable }) },
      ];
    }),
  );
}

/** The columns with a value that starts with this fingerprint. */
async function encryptedUnder(key: string | undefined): Promise<string[]> {
  const { rows: columns } = await service.db.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column
       FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'bytea'`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rowCount } = await service.db.query(
      `SELECT FROM ${table} WHERE encode(substring(${column} FROM 1 FOR 4), 'hex') = $1`,
      [key],
    );
    if (rowCount !== 0) found.push(`${table}.${column}`);
  }
  return found;
}

test('a rotation moves everything to the new key, and the old key is no longer needed', async () => {
  const old = await start(OLD);
  const people = [];
  for (let count = 0; count < 5; count++) people.push(await personWithTotp(old, time.now()));
  const [first, ...others] = people;
  if (first === undefined) throw new Error('nobody');
  const used = { mfa_code: totpCode(first.secret, time.now()) };
  await old.createSudoGrant(used, as(first));
  await old.createSudoGrant({ mfa_code: first.codes[3] }, as(first));
  const columns = ['totp_factors.secret', 'backup_codes.code', 'mails.letter'];
  expect((await encryptedUnder(OLD_ID)).toSorted()).toEqual(columns.toSorted());

  const both = await start(NEW, OLD);
  const before = {
    [`totp_factors ${OLD_ID}`]: { rows: 5 },
    [`backup_codes ${OLD_ID}`]: { rows: 50 },
    [`mails ${OLD_ID}`]: { rows: 10 },
  };
  expect(await reencrypt(both, { dry_run: true })).toEqual(before);
  expect(await reencrypt(both, { dry_run: true })).toEqual(before);
  expect(await reencrypt(both)).toEqual({
    [`totp_factors ${NEW_ID}`]: { rows: 5, moved: 5 },
    [`backup_codes ${NEW_ID}`]: { rows: 50, moved: 50 },
    [`mails ${NEW_ID}`]: { rows: 10, moved: 10 },
  });
  expect(await reencrypt(both)).toEqual({
    [`totp_factors ${NEW_ID}`]: { rows: 5 },
    [`backup_codes ${NEW_ID}`]: { rows: 50 },
    [`mails ${NEW_ID}`]: { rows: 10 },
  });
  expect(await encryptedUnder(OLD_ID)).toEqual([]);

  config.smtp_url = undefined;
  const renewed = await start(NEW);
  for (const { user_id, caller, codes } of people) {
    const spent = user_id === first.user_id ? codes[3] : undefined;
    const { backup_codes } = await renewed.listBackupCodes({ mfa_code: codes[0] }, as({ caller }));
    expect(backup_codes).toEqual(
      codes.map((code) => ({ code, consumed: code === codes[0] || code === spent })),
    );
  }
  // Used under the old key, before the new one existed.
  expect(await violationsOf(renewed.createSudoGrant(used, as(first)))).toHaveLength(1);
  expect(await violationsOf(renewed.createSudoGrant({ mfa_code: first.codes[3] }, as(first)))).toHaveLength(
    1,
  );
  for (const someone of others)
    await renewed.createSudoGrant({ mfa_code: totpCode(someone.secret, time.now()) }, as(someone));
  const letters = async () => (await readdir(service.mail_dir)).filter((name) => name.endsWith('.eml'));
  await service.db.query('UPDATE mails SET next_attempt_at = now()');
  await expect.poll(letters).toHaveLength(10);
  const texts = await Promise.all(
    (await letters()).map((name) => readFile(join(service.mail_dir, name), 'utf8')),
  );
  for (const { email } of people) expect(texts.some((text) => text.includes(email))).toBe(true);

  const stale = await replica(OLD);
  const code = { mfa_code: totpCode(first.secret, time.now() + STEP_MS) };
  expect((await faultOf(stale.createSudoGrant(code, as(first)))).reason).toBe('SERVICE_UNAVAILABLE');
  expect(await violationsOf(stale.createSudoGrant({ mfa_code: first.codes[5] }, as(first)))).toHaveLength(1);
});

test('a value that no key decrypts is counted under its key and kept', async () => {
  const lost = await start(LOST);
  const [lostId] = openEncryption([LOST]).keys;
  await personWithTotp(lost, time.now());
  const both = await start(NEW, OLD);
  const someone = await personWithTotp(both, time.now());
  await service.db.query(
    "UPDATE totp_factors SET secret = decode($2, 'hex') || '\\x0102' WHERE account_id = $1",
    [someone.user_id, OLD_ID],
  );
  const rows = () => service.db.query('SELECT * FROM totp_factors ORDER BY account_id');
  const before = (await rows()).rows;

  const counted = {
    [`totp_factors ${lostId}`]: { rows: 1, unreadable: 1 },
    [`totp_factors ${OLD_ID}`]: { rows: 1, unreadable: 1 },
    [`backup_codes ${lostId}`]: { rows: 10, unreadable: 10 },
    [`backup_codes ${NEW_ID}`]: { rows: 10 },
    [`mails ${lostId}`]: { rows: 2, unreadable: 2 },
    [`mails ${NEW_ID}`]: { rows: 2 },
  };
  expect(await reencrypt(both, { dry_run: true })).toEqual(counted);
  expect(await reencrypt(both)).toEqual(counted);
  expect((await rows()).rows).toEqual(before);
});

test('locked rows are skipped, and move with a later call', async () => {
  const old = await start(OLD);
  const someone = await personWithTotp(old, time.now());
  await personWithTotp(old, time.now());
  const both = await start(NEW, OLD);
  const holder = await service.db.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM totp_factors WHERE account_id = $1 FOR SHARE', [someone.user_id]);
    await holder.query('UPDATE backup_codes SET consumed_at = now() WHERE account_id = $1', [
      someone.user_id,
    ]);
    expect(await reencrypt(both)).toMatchObject({
      [`totp_factors ${OLD_ID}`]: { rows: 1 },
      [`totp_factors ${NEW_ID}`]: { rows: 1, moved: 1 },
      [`backup_codes ${OLD_ID}`]: { rows: 10 },
      [`backup_codes ${NEW_ID}`]: { rows: 10, moved: 10 },
    });
    await holder.query('COMMIT');

    await holder.query('BEGIN');
    await holder.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [someone.user_id]);
    expect(await reencrypt(both)).toMatchObject({
      [`totp_factors ${OLD_ID}`]: { rows: 1 },
      [`backup_codes ${NEW_ID}`]: { rows: 20, moved: 10 },
    });
    await holder.query('COMMIT');
  } finally {
    holder.release();
  }
  await reencrypt(both);
  expect(await encryptedUnder(OLD_ID)).toEqual([]);
  const { rowCount } = await service.db.query('SELECT FROM backup_codes WHERE consumed_at IS NOT NULL');
  expect(rowCount).toBe(10);
});

test('while replicas encrypt with either key, each code counts once and nothing is lost', async () => {
  const oldFirst = await start(OLD, NEW);
  const newFirst = await replica(NEW, OLD);
  const replicas = [oldFirst, newFirst];
  const turn = (index: number): Auth => replicas[index % replicas.length] ?? oldFirst;
  let busy = true;
  const reencrypting = (async () => {
    while (busy) await reencrypt(newFirst, { limit: 100 });
  })();

  const lives = Array.from({ length: 8 }, async (_, index) => {
    const mine = turn(index);
    const other = turn(index + 1);
    const someone = await personWithTotp(mine, time.now());
    for (const step of [0, 1]) {
      const mfa_code = totpCode(someone.secret, time.now() + step * STEP_MS);
      const uses = [mine, other, mine, other].map((auth) => auth.createSudoGrant({ mfa_code }, as(someone)));
      expect(await successes(uses)).toBe(1);
    }
    for (const code of someone.codes.slice(0, 5)) {
      const uses = [mine, other, mine, other].map((auth) =>
        auth.createSudoGrant({ mfa_code: code }, as(someone)),
      );
      expect(await successes(uses)).toBe(1);
    }
    const { backup_codes } = await other.listBackupCodes({ regenerate: true }, as(someone));
    const [proof, off, ...kept] = backup_codes.map(({ code }) => code);
    await mine.createSudoGrant({ mfa_code: proof }, as(someone));
    const shown = await mine.listBackupCodes({}, as(someone));
    expect(shown.backup_codes.map(({ code }) => code)).toEqual([proof, off, ...kept]);
    if (index % 4 < 2) return { ...someone, kept };
    await other.disableTotp({ code: off ?? '' }, as(someone));
    return undefined;
  });
  const people = await Promise.all(lives).finally(() => {
    busy = false;
  });
  await reencrypting;
  await reencrypt(newFirst);
  expect(await encryptedUnder(OLD_ID)).toEqual([]);

  const renewed = await start(NEW);
  time.forward(2 * STEP_MS);
  for (const someone of people) {
    if (someone === undefined) continue;
    for (const mfa_code of [totpCode(someone.secret, time.now()), ...someone.kept])
      await renewed.createSudoGrant({ mfa_code }, as(someone));
  }
});

test('an invalid cursor, limit or key is refused', async () => {
  const both = await start(NEW, OLD);
  const mistakes: Partial<ReencryptRequest>[] = [
    ...[
      'accounts:0',
      'mails',
      'mails:',
      'mails:x',
      'mails:-1',
      'mails:1:2',
      'mails:9223372036854775808',
      '',
    ].map((after) => ({ after })),
    { limit: 0 },
    { limit: 501 },
  ];
  for (const request of mistakes) {
    expect((await faultOf(both.reencrypt(request, IN_TIME))).reason).toBe('BAD_REQUEST');
  }
  for (const key of [OLD_ID ?? '', '']) {
    const { status, message } = await faultOf(both.reencrypt({ key }, IN_TIME));
    expect([status, message]).toEqual([
      Status.FAILED_PRECONDITION,
      `The newest key of this replica is ${NEW_ID}.`,
    ]);
  }
  const answer = await both.reencrypt({ key: NEW_ID, limit: 500 }, IN_TIME);
  expect(answer).toMatchObject({ keys: [NEW_ID, OLD_ID], rows: [] });
});

test('a mail that is being sent is sent once', async () => {
  const old = await start(OLD);
  await person(old);
  const { rows } = await service.db.query('SELECT id FROM mails');
  config.smtp_url = undefined;
  const both = await start(NEW, OLD);
  await service.db.query('UPDATE mails SET next_attempt_at = now()');
  await Promise.all(Array.from({ length: 20 }, () => reencrypt(both)));
  const left = async () => (await service.db.query('SELECT FROM mails')).rowCount;
  await expect.poll(left).toBe(0);
  expect(await readdir(service.mail_dir)).toContain(`${rows[0].id}.eml`);
});

async function successes(calls: Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(calls);
  return settled.filter(({ status }) => status === 'fulfilled').length;
}
