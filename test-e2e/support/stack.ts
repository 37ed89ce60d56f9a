import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { type StackOptions, startStack } from '@gatehouse/stack/start-stack';
import { afterAll, beforeAll } from 'vitest';
import { type Api, apiOf } from './api.ts';
import { borrowStack } from './borrow-stack.ts';
import { surroundings } from './command.ts';
import { queryOnce } from './database.ts';

type Stack = Awaited<ReturnType<typeof startStack>>;

/** A stack that tests ask over HTTP. Read its members inside tests only. */
export interface TestStack {
  /** Where it answers, without /api/v1. */
  readonly url: string;
  readonly api: Api;
  /** Has the mails. Of a stack of one's own also the logs. */
  readonly data_dir: string;
}

/** A stack of this machine that test files share. */
export interface SharedStack extends TestStack {
  /** Where each process listens, host:port, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** One statement in a service's own database. */
  query(service: string, sql: string, values: unknown[]): Promise<void>;
}

/** The stack of a test file: its own processes, ports and data folder. */
export interface OwnStack extends TestStack {
  readonly running: Stack;
  /** Ends it and removes its data folder. */
  close(): Promise<void>;
}

/** Where a stack's edge listens. Browsers want `localhost`: WebAuthn knows no addresses. */
export type StackHost = '127.0.0.1' | 'localhost';

/**
 * The loopback is a proxy to these tests' stacks, so that a test can come from an address of its own. No
 * login is held for that.
 */
export const PROXIED = { TRUSTED_PROXIES: '127.0.0.1/32,::1/128', LOGIN_LOCATION_CHECK: 'off' };

/** Ratelimit answers on a busy machine too: without its answer the edge would count by itself, and admit more. */
const PATIENT = { RATELIMIT_TIMEOUT_MS: '6000' };

/** For tests that ask more than clients may. */
export const UNLIMITED = { ...PROXIED, RATE_LIMITS: 'off', NODE_ENV: 'development' };

/** Whether the stack is one that runs already, with Envoy in front and several replicas of each process. */
export const isComposed = Boolean(process.env.GATEHOUSE_STACK_URL);

/**
 * The stack that runs already, if `npm run e2e -- --compose` says where, otherwise one that is shared. Both have the
 * settings of PROXIED. It is for stories that only ask over HTTP and read mail; their files are what `npm run e2e` runs.
 */
export function useAnyStack(host?: StackHost): TestStack {
  const { GATEHOUSE_STACK_URL, GATEHOUSE_STACK_DATA_DIR = '' } = process.env;
  if (!GATEHOUSE_STACK_URL) return useSharedStack(PROXIED, host);
  const url = new URL(GATEHOUSE_STACK_URL);
  if (host !== undefined) url.hostname = host;
  return { url: url.origin, api: apiOf(url.origin), data_dir: GATEHOUSE_STACK_DATA_DIR };
}

/**
 * A stack for this file's tests that other files had before, with what they left in it, or will have after them. For
 * tests that stop none of its processes.
 */
export function useSharedStack(env: Record<string, string>, host: StackHost = '127.0.0.1'): SharedStack {
  return duringTests(async () => {
    const { url, addresses, database_url, data_dir, giveBack } = await borrowStack({
      env: { ...surroundings(), ...PATIENT, ...env },
      host,
    });
    const query = (service: string, sql: string, values: unknown[]) =>
      queryOnce(databaseUrl(database_url, service), sql, values);
    return { stack: { url, addresses, api: apiOf(url), data_dir, query }, end: giveBack };
  });
}

/** Starts a stack before the file's tests and ends it after them; on a database of its own if none is given. */
export function useStack(
  env: Record<string, string> = PROXIED,
  database?: { readonly url: string },
  host?: StackHost,
): OwnStack {
  return duringTests(async () => {
    const stack = await openStack(env, database?.url, host);
    return { stack, end: stack.close };
  });
}

/**
 * The same in the test's own process, which takes less to start: for tests that neither stop a process nor count them. A
 * service that changes a message which it received fails.
 */
export function useStackInProcess(
  env: Record<string, string> = PROXIED,
  database?: { readonly url: string },
): OwnStack {
  return duringTests(async () => {
    const stack = await openStack(env, database?.url, undefined, { one_process: true, frozen: true });
    return { stack, end: stack.close };
  });
}

interface Begun<S> {
  readonly stack: S;
  end(): Promise<void>;
}

/** Begins before the file's tests and ends after them. What it returns has the members of the stack that began. */
function duringTests<S extends object>(begin: () => Promise<Begun<S>>): S {
  let begun: Begun<S> | undefined;
  beforeAll(async () => {
    begun = await begin();
  });
  afterAll(() => begun?.end());
  return new Proxy({} as S, {
    get: (_, member) => {
      if (begun === undefined) throw new Error('the stack is not running');
      return Reflect.get(begun.stack, member);
    },
  });
}

/** Starts a stack in a fresh data folder. Who opens it closes it. */
export async function openStack(
  env: Record<string, string> = PROXIED,
  database_url?: string,
  host: StackHost = '127.0.0.1',
  more: Pick<StackOptions, 'one_process' | 'frozen'> = {},
): Promise<OwnStack> {
  const folder = await testDataFolder('e2e');
  const data_dir = folder.path;
  const running = await startStack({
    host,
    port: 0,
    data_dir,
    database_url,
    env: { ...surroundings(), ...env },
    ...more,
  });
  const url = new URL(running.url).origin;
  const close = () => running.close().then(folder.remove);
  return { url, api: apiOf(url), data_dir, running, close };
}
