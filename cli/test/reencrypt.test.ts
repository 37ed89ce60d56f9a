import { fileURLToPath } from 'node:url';
import { readConfig } from '@gatehouse/auth/config';
import { start } from '@gatehouse/auth/start';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { anonymous, connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand, startCommand } from './support/run-command.ts';

const MIGRATIONS = fileURLToPath(new URL('../../services/auth/migrations', import.meta.url));
const OLD = 'the key that was used until yesterday';
const NEW = 'the key that is used from today on';
const LOST = 'a key that no replica has any more';
const PATIENCE = { timeoutMs: 20_000 };

let database: TestDatabase;
let db: pg.Pool;
const running: Running[] = [];
beforeEach(async () => {
  database = await testDatabase(MIGRATIONS, 'auth_cli_reencrypt');
  db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
});
afterEach(async () => {
  await closeServices();
  await db.end();
  await database.drop();
});

/** A service with these keys, the newest first. Its mail goes nowhere, and stays in the outbox. */
async function startService(...keys: string[]): Promise<Running> {
  const config = readConfig({
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database.database_url,
    AUTH_SECRET_KEY: keys.join(','),
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  const { database_url } = database;
  const service = await start({ ...config, database_url }, { log: silentLogger });
  running.push(service);
  return service;
}

async function closeServices(): Promise<void> {
  for (const service of running.splice(0)) await service.close();
}

let people = 0;

/** An account with a second factor: one secret, ten backup codes and two mails are encrypted. */
async function addPerson({ address }: Running): Promise<void> {
  people++;
  const { client, close } = connect(AuthServiceDefinition, { address });
  const password = 'correct horse battery';
  const account = { email: `person.${people}@example.com`, username: `person_${people}`, password };
  const { token } = await client.register(account, PATIENCE);
  const { identity } = await client.identify({ kind: CallerKind.CALLER_KIND_SESSION, token }, PATIENCE);
  const caller = { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, ...identity };
  const secret = newSecret();
  await client.enableTotp({ secret, code: totp(secret), password }, { ...PATIENCE, caller });
  close();
}

function reencrypt(services: Running | Running[], ...args: string[]) {
  const address = [services]
    .flat()
    .map((service) => service.address)
    .join(',');
  return runCommand(['auth', 'reencrypt', '--address', address, ...args]);
}

const json = async (services: Running | Running[], ...args: string[]) =>
  JSON.parse((await reencrypt(services, '--json', ...args)).stdout);

test('--dry-run reports rows under the old key; without it they move, and the key can be removed', async () => {
  const old = await startService(OLD);
  for (let count = 0; count < 3; count++) await addPerson(old);
  const {
    keys: [OLD_ID],
  } = await json(old, '--dry-run');
  await closeServices();

  const both = await startService(NEW, OLD);
  const each = `3 in totp_factors need ${OLD_ID}, 30 in backup_codes need ${OLD_ID}, 6 in mails need ${OLD_ID}`;
  for (let again = 0; again < 2; again++) {
    const { code, stdout, stderr } = await reencrypt(both, '--dry-run');
    const [summary, left, end] = stdout.split('\n');
    expect(summary).toMatch(/^0 under the newest key \([0-9a-f]{8}\)$/);
    expect([code, left, end, stderr]).toEqual([1, `39 left under older keys: ${each}`, '', '']);
  }

  const { code, stdout } = await reencrypt(both);
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(/^39 under the newest key \([0-9a-f]{8}\), 39 moved there now$/),
      `0 left under older keys: the old key (${OLD_ID}) can be removed now`,
      '',
    ],
  ]);
  for (const secret of [OLD, NEW]) expect(stdout).not.toContain(secret);
});

test('--json is one object for scripts', async () => {
  const old = await startService(OLD);
  await addPerson(old);
  await closeServices();
  const both = await startService(NEW, OLD);
  const {
    keys: [newest, older],
    ...before
  } = await json(both, '--dry-run');
  const rows = (key: string) =>
    Object.entries({ totp_factors: 1, backup_codes: 10, mails: 2 }).map(([table, count]) => ({
      table,
      key,
      rows: count,
      unreadable: 0,
    }));
  expect(before).toEqual({
    dry_run: true,
    moved: 0,
    settled: true,
    left: 13,
    unreadable: 0,
    rows: rows(older),
  });
  expect(await json(both)).toEqual({
    keys: [newest, older],
    dry_run: false,
    moved: 13,
    settled: true,
    left: 0,
    unreadable: 0,
    rows: rows(newest),
  });
});

test('interrupted in the middle, it ends with 130; run again, it finishes', async () => {
  const old = await startService(OLD);
  for (let count = 0; count < 2; count++) await addPerson(old);
  await closeServices();
  const both = await startService(NEW, OLD);
  const before = await json(both, '--dry-run');
  const older = before.keys[1];

  const barrier = await db.connect();
  await barrier.query('BEGIN');
  await barrier.query('LOCK TABLE mails IN ACCESS EXCLUSIVE MODE');
  const { interrupt, ended } = startCommand(['auth', 'reencrypt', '--address', both.address]);
  const codesUnder = async (key: string) =>
    (await db.query("SELECT FROM backup_codes WHERE encode(substring(code FROM 1 FOR 4), 'hex') = $1", [key]))
      .rowCount;
  await expect.poll(() => codesUnder(older)).toBe(0);
  interrupt();
  expect((await ended).code).toBe(130);
  await barrier.query('COMMIT');
  barrier.release();

  expect((await reencrypt(both)).code).toBe(0);
  expect(await json(both, '--dry-run')).toMatchObject({ left: 0, unreadable: 0 });
});

test('rows that no key decrypts are reported with their key, and kept', async () => {
  const lost = await startService(LOST);
  await addPerson(lost);
  const {
    keys: [LOST_ID],
  } = await json(lost, '--dry-run');
  await closeServices();
  const both = await startService(NEW, OLD);
  const { code, stdout } = await reencrypt(both);
  expect(code).toBe(1);
  const each = `1 in totp_factors encrypted by ${LOST_ID}, 10 in backup_codes encrypted by ${LOST_ID}, 2 in mails encrypted by ${LOST_ID}`;
  expect(stdout.split('\n').slice(1, 3)).toEqual([
    `13 cannot be decrypted with any key of AUTH_SECRET_KEY and are kept: ${each}`,
    expect.stringMatching(/^0 left under older keys: the old key \([0-9a-f]{8}\) can be removed now$/),
  ]);
  await closeServices();
  expect((await reencrypt(await startService(LOST))).code).toBe(0);
});

test('with different first keys, nothing is moved', async () => {
  const oldFirst = await startService(OLD, NEW);
  await addPerson(oldFirst);
  const newFirst = await startService(NEW, OLD);
  const before = await json(oldFirst, '--dry-run');
  const { code, stdout, stderr } = await reencrypt([oldFirst, newFirst]);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(
    /^Not every replica has the same first key: \S+ has [0-9a-f]{8}, \S+ has [0-9a-f]{8}\./,
  );
  expect(await json(oldFirst, '--dry-run')).toEqual(before);
});

test('a replica that does not answer is named, with code 3', async () => {
  const address = `${(await startService(NEW)).address},127.0.0.1:1`;
  const { code, stdout, stderr } = await runCommand(['auth', 'reencrypt', '--address', address]);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^127\.0\.0\.1:1: The auth service or its database does not answer\.\n/);
});
