import { fileURLToPath } from 'node:url';
import { readConfig } from '@gatehouse/auth/config';
import { start } from '@gatehouse/auth/start';
import { freePort } from '@gatehouse/dev-env/free-port';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { SNOWFLAKE_EPOCH_MS } from '@gatehouse/kit/snowflake';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, startCommand } from './support/run-command.ts';

const MIGRATIONS = fileURLToPath(new URL('../../services/auth/migrations', import.meta.url));
const HOSTILE =
  'evil\u001b]0;owned\u0007\u001b[2J\r\nlogin  \u009b31m\u202egpj.exe\u2028\u0000\u007f'.replace('\0', '');

let db: pg.Pool;
let service: Running;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  const database = await testDatabase(MIGRATIONS, 'auth_cli');
  db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  const config = readConfig({
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database.database_url,
    AUTH_SECRET_KEY: 'a secret key of tests that is long enough',
  });
  service = await start({ ...config, database_url: database.database_url }, { log: silentLogger });
  closing.push(
    () => service.close(),
    () => db.end(),
    () => database.drop(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

let made = 0;

interface NewEvent {
  readonly kind?: string;
  readonly ago_s?: number;
  readonly user_agent?: string | null;
  readonly detail?: object;
}

/** Adds an event to the audit log; returns its ID. */
async function addEvent(
  account_id: string,
  { kind = 'login', ago_s = 0, user_agent = null, detail = {} }: NewEvent = {},
): Promise<string> {
  const at_ms = Date.now() - ago_s * 1000;
  const id = String((BigInt(at_ms - SNOWFLAKE_EPOCH_MS) << 22n) | BigInt(++made));
  await db.query(
    `INSERT INTO security_events (id, at, kind, account_id, ip, user_agent, detail)
     VALUES ($1, to_timestamp($2 / 1000.0), $3, $4, '203.0.113.7', $5, $6)`,
    [id, at_ms, kind, account_id, user_agent, detail],
  );
  return id;
}

const withAddress = (): NodeJS.ProcessEnv => ({ AUTH_ADDRESS: service.address });
const events = (...args: string[]) => runCommand(['auth', 'events', ...args], { env: withAddress() });
const idsIn = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id);

describe('events', () => {
  test('are a line each, the newest last', async () => {
    await addEvent('11', { kind: 'login.failed', ago_s: 20, user_agent: 'curl/8.5.0' });
    await addEvent('11', { ago_s: 10, detail: { proof: 'password' } });
    const { code, stdout, stderr } = await events('--account', '11');
    expect([code, stderr]).toEqual([0, '']);
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${time}  login\\.failed +11 +203\\.0\\.113\\.7 +"curl/8\\.5\\.0"$`)),
      expect.stringMatching(new RegExp(`^${time}  login +11 +203\\.0\\.113\\.7 +\\{"proof": "password"\\}$`)),
      '',
    ]);
  });

  test('are JSON for scripts', async () => {
    const id = await addEvent('12', { detail: { proof: 'totp', count: 2 } });
    const { stdout } = await events('--account', '12', '--json');
    expect(JSON.parse(stdout)).toEqual({
      id,
      at: expect.stringMatching(/Z$/),
      kind: 'login',
      account_id: '12',
      ip: '203.0.113.7',
      user_agent: null,
      session_id: null,
      detail: { proof: 'totp', count: 2 },
    });
  });

  test('are filtered by kind and time, up to the limit', async () => {
    const old = await addEvent('13', { ago_s: 7200 });
    const failed = await addEvent('13', { kind: 'login.failed', ago_s: 1800 });
    const recent = await addEvent('13', { kind: 'logout', ago_s: 60 });
    const ids = async (...args: string[]) =>
      idsIn((await events('--account', '13', '--json', ...args)).stdout);
    expect(await ids()).toEqual([old, failed, recent]);
    expect(await ids('--kind', 'login')).toEqual([old, failed]);
    expect(await ids('--since', '1h')).toEqual([failed, recent]);
    expect(await ids('--since', '90s')).toEqual([recent]);
    expect(await ids('--limit', '2')).toEqual([failed, recent]);
    expect(await ids('--kind', 'mfa')).toEqual([]);
  });

  test('may exceed the limit of one response', async () => {
    await db.query(
      `INSERT INTO security_events (id, kind, account_id) SELECT n, 'login', 14 FROM generate_series(1, 2500) AS n`,
    );
    const ids = async (limit: string) =>
      idsIn((await events('--account', '14', '--json', '--limit', limit)).stdout);
    const last = (count: number) => Array.from({ length: count }, (_, index) => String(2501 - count + index));
    expect(await ids('2100')).toEqual(last(2100));
    expect(await ids('2000')).toEqual(last(2000));
    expect(await ids('100000')).toEqual(last(2500));
  });

  test('--follow prints new events once each, even if they commit late, until interrupted', async () => {
    for (let ago_s = 5; ago_s > 1; ago_s--) await addEvent('15', { ago_s });
    const shown = await addEvent('15');
    const args = ['--account', '15', '--json', '--limit', '1', '--follow'];
    const tail = startCommand(['auth', 'events', ...args], { env: withAddress() });
    await expect.poll(() => idsIn(tail.stdout())).toEqual([shown]);

    const late = await db.connect();
    try {
      await late.query('BEGIN');
      const lateId = String((BigInt(Date.now() - SNOWFLAKE_EPOCH_MS) << 22n) | BigInt(++made));
      await late.query(`INSERT INTO security_events (id, kind, account_id) VALUES ($1, 'logout', 15)`, [
        lateId,
      ]);
      const early = await addEvent('15');
      await expect.poll(() => idsIn(tail.stdout())).toEqual([shown, early]);
      await late.query('COMMIT');
      await expect.poll(() => idsIn(tail.stdout())).toEqual([shown, early, lateId]);
      await addEvent('16');
      const next = await addEvent('15');
      await expect.poll(() => idsIn(tail.stdout())).toEqual([shown, early, lateId, next]);
    } finally {
      late.release();
    }
    tail.interrupt();
    expect(await tail.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('--follow goes on when the service is back', async () => {
    const config = readConfig({
      LISTEN: `127.0.0.1:${await freePort()}`,
      DATABASE_URL: 'postgres://127.0.0.1',
      AUTH_SECRET_KEY: 'a secret key of tests that is long enough',
    });
    const { connectionString: database_url = '' } = db.options;
    const first = await start({ ...config, database_url }, { log: silentLogger });
    const { address } = first;
    const tail = startCommand(['auth', 'events', '--account', '17', '--json', '-f', '--address', address]);
    let again: Running | undefined;
    try {
      const shown = await addEvent('17');
      await expect.poll(() => idsIn(tail.stdout())).toEqual([shown]);
      await first.close();
      await expect
        .poll(() => tail.stderr())
        .toBe(`${address}: The auth service does not answer; waiting for it.\n`);
      const next = await addEvent('17');
      again = await start({ ...config, listen: address, database_url }, { log: silentLogger });
      await expect.poll(() => idsIn(tail.stdout())).toEqual([shown, next]);
    } finally {
      tail.interrupt();
      await again?.close();
    }
    expect((await tail.ended).code).toBe(0);
  });
});

describe('client-supplied text', () => {
  test('cannot send terminal control sequences, and stays on its line', async () => {
    await addEvent('21', { user_agent: HOSTILE, detail: { note: HOSTILE } });
    const { stdout } = await events('--account', '21');
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout.slice(0, -1)).toMatch(/^[ -~]*$/);
    expect(stdout).toContain('evil');
  });

  test('keeps its value in JSON', async () => {
    await addEvent('22', { user_agent: HOSTILE });
    const { stdout } = await events('--account', '22', '--json');
    expect(stdout.slice(0, -1)).toMatch(/^[ -~]*$/);
    expect(JSON.parse(stdout)).toMatchObject({ user_agent: HOSTILE });
  });
});

describe('a mistake ends with code 2, on standard error:', () => {
  test.each([
    ['an unknown option', ['--all'], "unknown option '--all'"],
    ['an argument', ['now'], 'too many arguments'],
    ['an account of letters', ['--account', 'me'], 'It must be the ID of an account.'],
    ['an account beyond 64 bits', ['--account', '9223372036854775808'], 'It must be the ID'],
    ['an empty account', ['--account', ''], 'It must be the ID'],
    ['an account without a value', ['--account'], 'argument missing'],
    ['a kind of signs', ['--kind', "login';--"], 'It must be a kind of event'],
    ['an empty kind', ['--kind='], 'It must be a kind of event'],
    ['an unknown kind', ['--kind', 'logi'], 'login.failed'],
    ['a time of words', ['--since', 'yesterday'], 'It must be a number and one of'],
    ['a time without unit', ['--since', '15'], 'It must be a number and one of'],
    ['a negative time', ['--since=-1h'], 'It must be a number and one of'],
    ['a time with the name of a property', ['--since', '1constructor'], 'It must be a number and one of'],
    ['a limit of 0', ['--limit', '0'], 'It must be a whole number from 1 to 100000.'],
    ['a limit of words', ['--limit', 'all'], 'It must be a whole number'],
    ['a fraction', ['--limit', '1.5'], 'It must be a whole number'],
    ['an enormous limit', ['--limit', '100001'], 'It must be a whole number'],
    ['an address without a port', ['--address', 'here'], 'It must be host:port'],
    ['an empty second address', ['--address', 'a:1,'], 'It must be host:port'],
    ['an option of another command', ['--dry-run'], "unknown option '--dry-run'"],
    ['control characters', ['--\u001b[2J'], "'--\\u{1b}[2J'"],
  ])('%s', async (_, args, text) => {
    const { code, stdout, stderr } = await events(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });
});

test('a time before 1970 means all events', async () => {
  const id = await addEvent('32');
  const { stdout } = await events('--account', '32', '--json', '--since', '999999d');
  expect(idsIn(stdout)).toEqual([id]);
});

test('of several addresses, one that answers is enough', async () => {
  const id = await addEvent('31');
  const address = `127.0.0.1:1,${service.address}`;
  const { stdout } = await events('--account', '31', '--json', '--address', address);
  expect(idsIn(stdout)).toEqual([id]);
});
