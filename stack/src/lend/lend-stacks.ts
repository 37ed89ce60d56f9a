import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startTestPostgres, type TestServer } from '@gatehouse/dev-env/postgres/postgres-server';
import {
  cloneDatabase,
  dropTestDatabase,
  newDatabaseUrl,
  RUN_PREFIX,
} from '@gatehouse/dev-env/postgres/test-database';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { PROCESSES } from '../processes.ts';
import type { Stack, StackOptions } from '../start-stack.ts';

/** The variable with the URL at which tests borrow stacks. */
export const STACK_LENDER = 'GATEHOUSE_STACK_LENDER';
/** An idle stack still uses some of a core, so it ends after this long without a borrower. */
const UNUSED_MS = 20_000;

export interface StackSettings {
  readonly env: NodeJS.ProcessEnv;
  readonly host: string;
}

/** A borrowed stack. `url` is the edge's, without /api/v1. */
export interface LentStack {
  readonly url: string;
  /** The address of each process, host:port, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Has the form of DATABASE_URL. */
  readonly database_url: string;
  readonly data_dir: string;
}

interface PooledStack {
  readonly settings: string;
  readonly stack: OneProcessStack;
  readonly folder: DataFolder;
  readonly databases: StackDatabases;
  /** Runs while it has no borrower, and ends it. */
  unused: NodeJS.Timeout | undefined;
}

interface OneProcessStack extends Pick<Stack, 'url' | 'addresses'> {
  /** @throws Error for an exit code other than 0 */
  close(): Promise<void>;
}

interface StackDatabases {
  /** Has the form of DATABASE_URL. */
  readonly url: string;
  drop(): Promise<void>;
}

const STACK_PROCESS = fileURLToPath(new URL('./stack-process.ts', import.meta.url));

/** Starts a stack in one process. */
async function startInOneProcess(options: StackOptions): Promise<OneProcessStack> {
  const child = fork(STACK_PROCESS, [JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const answered = await Promise.race([once(child, 'message'), exited.then(() => undefined)]);
  if (answered === undefined) throw new Error('a stack ended before it answered; its output is above');
  const [{ url, addresses }] = answered as [Pick<Stack, 'url' | 'addresses'>];
  return { url, addresses, close: () => end(child, exited) };
}

async function end(child: ChildProcess, exited: Promise<unknown[]>): Promise<void> {
  if (child.connected) child.send('end');
  const [code, signal] = await exited;
  if (code !== 0) throw new Error(`a stack ended with ${code ?? signal}`);
}

/** Databases of the services, cloned from templates. */
async function stackDatabases(server: string): Promise<StackDatabases> {
  const url = newDatabaseUrl(server, 'stack');
  const services = PROCESSES.filter(({ has_database }) => has_database).map(({ name }) => name);
  const urls = services.map((service) => databaseUrl(url, service));
  await Promise.all(
    services.map((service, index) => {
      const migrations = fileURLToPath(new URL(`../../../services/${service}/migrations`, import.meta.url));
      return cloneDatabase(migrations, urls[index] ?? '');
    }),
  );
  return {
    url,
    drop: async () => {
      await Promise.all(urls.map(dropTestDatabase));
    },
  };
}

/**
 * Lends stacks to test files over HTTP. A stack takes about two seconds to start, and files that only call it can
 * use it one after the other. POST with settings borrows a stack, DELETE returns it. `close` ends them, and throws
 * if any did not end as it should.
 */
export async function lendStacks(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const pool = new Map<string, PooledStack>();
  const ending: Promise<void>[] = [];
  const failures: unknown[] = [];
  /**
   * A server for these stacks alone, unless GATEHOUSE_TEST_DATABASE_URL names one: an open transaction of a chat
   * test would delay their events.
   */
  let postgres: Promise<TestServer> | undefined;

  async function lend({ env, host }: StackSettings): Promise<LentStack> {
    const settings = JSON.stringify([env, host]);
    const free = [...pool.values()].find((one) => one.settings === settings && one.unused !== undefined);
    const { stack, folder, databases } = free ?? (await start(settings, { env, host }));
    clearTimeout(free?.unused);
    if (free !== undefined) free.unused = undefined;
    return {
      url: new URL(stack.url).origin,
      addresses: stack.addresses,
      database_url: databases.url,
      data_dir: folder.path,
    };
  }

  async function start(settings: string, { env, host }: StackSettings): Promise<PooledStack> {
    postgres ??= startTestPostgres(process.env[RUN_PREFIX] ?? '');
    const [folder, databases] = await Promise.all([
      testDataFolder('e2e'),
      postgres.then(({ url }) => stackDatabases(url)),
    ]);
    const { url: database_url } = databases;
    const stack = await startInOneProcess({ host, port: 0, data_dir: folder.path, database_url, env });
    const started = { settings, stack, folder, databases, unused: undefined };
    pool.set(new URL(stack.url).origin, started);
    return started;
  }

  function takeBack({ url }: { readonly url: string }): void {
    const back = pool.get(url);
    if (back !== undefined) back.unused = setTimeout(end, UNUSED_MS, url, back);
  }

  function end(url: string, { stack, folder, databases, unused }: PooledStack): void {
    clearTimeout(unused);
    pool.delete(url);
    const ended = stack.close().then(databases.drop).then(folder.remove);
    ending.push(ended.catch((error) => void failures.push(error)));
  }

  const server = createServer(async (request, response) => {
    try {
      const asked = await json(request);
      if (request.method === 'POST') response.end(JSON.stringify(await lend(asked as StackSettings)));
      else response.end(takeBack(asked as LentStack));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      for (const [url, one] of pool) end(url, one);
      await Promise.all(ending);
      await (await postgres)?.close();
      if (failures.length > 0) throw new AggregateError(failures, 'stacks did not end as they should');
    },
  };
}
