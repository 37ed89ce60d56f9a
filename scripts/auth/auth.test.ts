import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@gatehouse/auth/config';
import { start } from '@gatehouse/auth/start';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { SNOWFLAKE_EPOCH_MS } from '@gatehouse/kit/snowflake';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../auth.ts', import.meta.url));
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

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function spawnScript(args: readonly string[], env: NodeJS.ProcessEnv = { AUTH_ADDRESS: service.address }) {
  const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, ...args];
  const child = spawn(process.execPath, flags, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...output }));
  return { child, output, ended };
}

const run = (...args: string[]) => spawnScript(args).ended;
const idsIn = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id);

describe('events', () => {
  test('are a line each, the newest last', async () => {
    await addEvent('11', { kind: 'login.failed', ago_s: 20, user_agent: 'curl/8.5.0' });
    await addEvent('11', { ago_s: 10, detail: { proof: 'password' } });
    const { code, stdout, stderr } = await run('events', '--account', '11');
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
    const { stdout } = await run('events', '--account', '12', '--json');
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

  test('are those of a kind, of the last time, and no more than asked for', async () => {
    const old = await addEvent('13', { ago_s: 7200 });
    const failed = await addEvent('13', { kind: 'login.failed', ago_s: 1800 });
    const recent = await addEvent('13', { kind: 'logout', ago_s: 60 });
    const ids = async (...args: string[]) =>
      idsIn((await run('events', '--account', '13', '--json', ...args)).stdout);
    expect(await ids()).toEqual([old, failed, recent]);
    expect(await ids('--kind', 'login')).toEqual([old, failed]);
    expect(await ids('--since', '1h')).toEqual([failed, recent]);
    expect(await ids('--since', '90s')).toEqual([recent]);
    expect(await ids('--limit', '2')).toEqual([failed, recent]);
    expect(await ids('--kind', 'mfa')).toEqual([]);
  });

  test('may be more than an answer holds', async () => {
    await db.query(
      `INSERT INTO security_events (id, kind, account_id) SELECT n, 'login', 14 FROM generate_series(1, 2500) AS n`,
    );
    const ids = async (limit: string) =>
      idsIn((await run('events', '--account', '14', '--json', '--limit', limit)).stdout);
    const last = (count: number) => Array.from({ length: count }, (_, index) => String(2501 - count + index));
    expect(await ids('2100')).toEqual(last(2100));
    expect(await ids('2000')).toEqual(last(2000));
    expect(await ids('100000')).toEqual(last(2500));
  });

  test('--follow goes on with what comes, each once, also what commits late, until interrupted', async () => {
    for (let ago_s = 5; ago_s > 1; ago_s--) await addEvent('15', { ago_s });
    const shown = await addEvent('15');
    const { child, output, ended } = spawnScript([
      'events',
      '--account',
      '15',
      '--json',
      '--limit',
      '1',
      '--follow',
    ]);
    await expect.poll(() => idsIn(output.stdout)).toEqual([shown]);

    const late = await db.connect();
    try {
      await late.query('BEGIN');
      const lateId = String((BigInt(Date.now() - SNOWFLAKE_EPOCH_MS) << 22n) | BigInt(++made));
      await late.query(`INSERT INTO security_events (id, kind, account_id) VALUES ($1, 'logout', 15)`, [
        lateId,
      ]);
      const early = await addEvent('15');
      await expect.poll(() => idsIn(output.stdout)).toEqual([shown, early]);
      await late.query('COMMIT');
      await expect.poll(() => idsIn(output.stdout)).toEqual([shown, early, lateId]);
      await addEvent('16');
      const next = await addEvent('15');
      await expect.poll(() => idsIn(output.stdout)).toEqual([shown, early, lateId, next]);
    } finally {
      late.release();
    }
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('--follow waits for a service that is away', async () => {
    const config = readConfig({
      LISTEN: '127.0.0.1:0',
      DATABASE_URL: 'postgres://127.0.0.1',
      AUTH_SECRET_KEY: 'a secret key of tests that is long enough',
    });
    const { connectionString: database_url = '' } = db.options;
    const first = await start({ ...config, database_url }, { log: silentLogger });
    const { address } = first;
    const { child, output, ended } = spawnScript([
      'events',
      '--account',
      '17',
      '--json',
      '-f',
      '--address',
      address,
    ]);
    let again: Running | undefined;
    try {
      const shown = await addEvent('17');
      await expect.poll(() => idsIn(output.stdout)).toEqual([shown]);
      await first.close();
      await expect
        .poll(() => output.stderr)
        .toBe(`${address}: The auth service does not answer; waiting for it.\n`);
      const next = await addEvent('17');
      again = await start({ ...config, listen: address, database_url }, { log: silentLogger });
      await expect.poll(() => idsIn(output.stdout)).toEqual([shown, next]);
    } finally {
      child.kill('SIGINT');
      await again?.close();
    }
    expect((await ended).code).toBe(0);
  });

  test('end quietly when nobody reads on', async () => {
    const { child, ended } = spawnScript(['events', '--account', '14', '--limit', '2500']);
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('what a client chose', () => {
  test('does nothing to the terminal, and stays on its line', async () => {
    await addEvent('21', { user_agent: HOSTILE, detail: { note: HOSTILE } });
    const { stdout } = await run('events', '--account', '21');
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout.slice(0, -1)).toMatch(/^[ -~]*$/);
    expect(stdout).toContain('evil');
  });

  test('means in JSON what it was', async () => {
    await addEvent('22', { user_agent: HOSTILE });
    const { stdout } = await run('events', '--account', '22', '--json');
    expect(stdout.slice(0, -1)).toMatch(/^[ -~]*$/);
    expect(JSON.parse(stdout)).toMatchObject({ user_agent: HOSTILE });
  });
});

test.each([
  ['an unknown option', ['events', '--all'], "Unknown option '--all'"],
  ['an unknown kind', ['events', '--kind', 'logi'], 'login.failed'],
])('a mistake such as %s goes to standard error, with code 2', async (_, args, text) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
});

test('a service that is not there is told in a line, with code 3', async () => {
  for (const more of [[], ['--follow']]) {
    const { code, stdout, stderr } = await run('events', '--address', '127.0.0.1:1', ...more);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^[^\n]*does not answer\.\n$/);
  }
});

test('of several addresses one that answers will do', async () => {
  const id = await addEvent('31');
  const address = `127.0.0.1:1,${service.address}`;
  const { stdout } = await run('events', '--account', '31', '--json', '--address', address);
  expect(idsIn(stdout)).toEqual([id]);
});

test('--help names every option', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  for (const word of [
    'events',
    'reencrypt',
    '--dry-run',
    '--account',
    '--kind',
    '--since',
    '--limit',
    '--follow',
    '--address',
    '--json',
  ])
    expect(stdout).toContain(word);
});
