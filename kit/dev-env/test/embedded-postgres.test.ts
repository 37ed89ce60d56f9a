import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DataFolder, testDataFolder } from '../src/data-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
let temporary: DataFolder;
let folder: string;
/** Keeps one cluster for all tests, because creating one takes most of a test's time. */
let dataDir: string;

beforeAll(async () => {
  temporary = await testDataFolder('embedded');
  folder = temporary.path;
  dataDir = join(folder, 'data');
});

beforeEach(async () => {
  await using(({ url }) => query(url, 'DROP TABLE IF EXISTS kept'));
});

afterAll(async () => {
  await temporary.remove();
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url.replace(/\/gatehouse$/, '/postgres') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs an action on a server, and closes it. */
async function using<T>(action: (server: EmbeddedPostgres) => Promise<T>, dir = dataDir): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir: dir });
  try {
    return await action(server);
  } finally {
    await server.close();
  }
}

/** Another process that runs PostgreSQL on the folder. */
async function startElsewhere(env: NodeJS.ProcessEnv = process.env) {
  const script = fileURLToPath(new URL('./fixtures/start-postgres.ts', import.meta.url));
  const owner = spawn(process.execPath, [script, dataDir], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(owner.stdout, 'data');
  return { owner, ...(JSON.parse(String(line)) as { url: string; pid: number }) };
}

/** Whether it has ended, reaped or not. */
async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

test('keeps its data and its password across restarts', async () => {
  await using(({ url }) => query(url, 'CREATE TABLE kept AS SELECT 1 AS id'));
  expect(await using(({ url }) => query(url, 'SELECT id FROM kept'))).toEqual([{ id: 1 }]);
});

test('listens on 127.0.0.1 only, requires the password, writes durably, and runs unprivileged', async () => {
  await using(async ({ url, pid }) => {
    const settings = [
      'listen_addresses',
      'unix_socket_directories',
      'fsync',
      'server_encoding',
      'data_checksums',
    ];
    const shown = await Promise.all(settings.map((name) => query(url, `SHOW ${name}`)));
    expect(shown.map(([row]) => Object.values(row ?? {})[0])).toEqual(['127.0.0.1', '', 'on', 'UTF8', 'on']);
    const guessed = new URL(url);
    guessed.password = 'guess';
    await expect(query(guessed.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(`/proc/${pid}`)).uid).not.toBe(0);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o077).toBe(0);
  });
});

test('a second start on the same folder is refused while the first runs', async () => {
  await using(async () => {
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(`is in use by process ${process.pid}`);
  });
  await using(({ url }) => query(url, 'SELECT 1'));
});

test('ends when the process that started it is killed, and the next start recovers', async () => {
  const { owner, url, pid } = await startElsewhere();
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS id');
  owner.kill('SIGKILL');
  await expect.poll(() => isGone(pid)).toBe(true);
  expect(await using((server) => query(server.url, 'SELECT id FROM kept'))).toEqual([{ id: 1 }]);
});

test('without support of the kernel, the next start stops the server left behind', async () => {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const program of ['id', 'test', 'chmod']) await symlink(await findOnPath(program), join(bin, program));
  const { owner, url, pid } = await startElsewhere({ ...process.env, PATH: bin });
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS id');
  expect(await using((server) => query(server.url, 'SELECT id FROM kept'))).toEqual([{ id: 1 }]);
  expect(await isGone(pid)).toBe(true);
});

test('a postmaster.pid with a reused number does not prevent a start', async () => {
  await using(async () => undefined);
  const stale = [process.pid, join(dataDir, 'postgres/data'), 0, 5432, '', '127.0.0.1', '', 'ready', ''];
  await writeFile(join(dataDir, 'postgres/data/postmaster.pid'), stale.join('\n'));
  await using(({ url }) => query(url, 'SELECT 1'));
});

test('a cluster whose creation was interrupted is created again', async () => {
  const fresh = join(folder, 'interrupted');
  await mkdir(join(fresh, 'postgres/data.new/base'), { recursive: true });
  await chmod(join(fresh, 'postgres'), 0o711);
  await using(({ url }) => query(url, 'SELECT 1'), fresh);
});

test("a failed start reports PostgreSQL's output, and frees the folder", async () => {
  const settings = { shared_buffers: 'plenty' };
  await expect(startEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(
    /did not start: .*shared_buffers/s,
  );
  await using(({ url }) => query(url, 'SELECT 1'));
});

test('data of another major version is refused, not touched', async () => {
  const file = join(dataDir, 'postgres/data/PG_VERSION');
  await writeFile(file, '12\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /was made by PostgreSQL 12, and this is 18/,
  );
  await writeFile(file, '18\n');
  await using(({ url }) => query(url, 'SELECT 1'));
});

describe.runIf(isRoot)('as root', () => {
  test('a folder that PostgreSQL cannot enter gets its cluster elsewhere, and a link to it', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir: closed, log: (line) => lines.push(line) });
    const elsewhere = await realpath(join(closed, 'postgres'));
    try {
      await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS id');
      await server.close();
      expect(lines.join()).toContain(elsewhere);
      expect(await readdir(elsewhere)).toContain('data');
      expect(await using(({ url }) => query(url, 'SELECT id FROM kept'), closed)).toEqual([{ id: 1 }]);
    } finally {
      await server.close();
      await rm(elsewhere, { recursive: true });
    }
    await expect(startEmbeddedPostgres({ dataDir: closed })).rejects.toThrow(
      /points to a folder that is gone/,
    );
  });
});

async function findOnPath(program: string): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    if (
      await readFile(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new Error(`${program} is not on PATH`);
}
