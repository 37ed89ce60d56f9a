import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { type StackOptions, startStack } from '@gatehouse/stack/start-stack';
import { afterAll, beforeAll } from 'vitest';
import { type Api, apiOf } from './api.ts';
import { borrowStack } from './borrow-stack.ts';
import { inheritedEnv } from './command.ts';
import { queryOnce } from './database.ts';

type Stack = Awaited<ReturnType<typeof startStack>>;

/** A stack for tests over HTTP. Read its members inside tests and hooks only. */
export interface TestStack {
  /** Its URL, without /api/v1. */
  readonly url: string;
  readonly api: Api;
  /** Folder with the mails. An own stack has its logs there too. */
  readonly data_dir: string;
}

/** A stack on this machine that test files share. */
export interface SharedStack extends TestStack {
  /** The gRPC address (host:port) of each process, by name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Runs a statement in a service's database. */
  query(service: string, sql: string, values: unknown[]): Promise<void>;
}

/** A stack of one test file, with its own processes, ports and data folder. */
export interface OwnStack extends TestStack {
  readonly running: Stack;
  /** Stops it and removes its data folder. */
  close(): Promise<void>;
}

/** The host that a stack's edge listens on. Browsers need `localhost`, since WebAuthn does not work at IP addresses. */
export type StackHost = '127.0.0.1' | 'localhost';

/**
 * Trusts the loopback as a proxy, so that tests can use any client address, and does not hold logins from new
 * addresses.
 */
export const PROXIED = { TRUSTED_PROXIES: '127.0.0.1/32,::1/128', LOGIN_LOCATION_CHECK: 'off' };

/** A long timeout for busy machines: without ratelimit's answer the edge counts by itself and admits more. */
const PATIENT = { RATELIMIT_TIMEOUT_MS: '6000' };

/** For tests with more requests than the limits allow. */
export const UNLIMITED = { ...PROXIED, RATE_LIMITS: 'off', NODE_ENV: 'development' };

/** Whether the tests run against the composed stack, with Envoy in front and several replicas of each process. */
export const isComposed = Boolean(process.env.GATEHOUSE_STACK_URL);

/**
 * The composed stack under `npm run e2e -- --compose`, otherwise a shared one. Both have the settings of PROXIED. For
 * stories that only use HTTP and mail; `npm run e2e` runs the files with this call.
 */
export function useAnyStack(host?: StackHost): TestStack {
  const { GATEHOUSE_STACK_URL, GATEHOUSE_STACK_DATA_DIR = '' } = process.env;
  if (!GATEHOUSE_STACK_URL) return useSharedStack(PROXIED, host);
  const url = new URL(GATEHOUSE_STACK_URL);
  if (host !== undefined) url.hostname = host;
  return { url: url.origin, api: apiOf(url.origin), data_dir: GATEHOUSE_STACK_DATA_DIR };
}

/**
 * A stack that files with the same settings use one after another; it keeps their data. For tests that do not stop
 * processes.
 */
export function useSharedStack(env: Record<string, string>, host: StackHost = '127.0.0.1'): SharedStack {
  return duringTests(async () => {
    const { url, addresses, database_url, data_dir, giveBack } = await borrowStack({
      env: { ...inheritedEnv(), ...PATIENT, ...env },
      host,
    });
    const query = (service: string, sql: string, values: unknown[]) =>
      queryOnce(databaseUrl(database_url, service), sql, values);
    return { stack: { url, addresses, api: apiOf(url), data_dir, query }, end: giveBack };
  });
}

/** Starts a stack before the file's tests and stops it after them. Default: on its own database server. */
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
 * Like `useStack`, but in the test's process, which starts faster. For tests that do not stop or count processes.
 * Messages between services are frozen, so a service that changes one fails.
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

/** Runs `begin` before the file's tests and its `end` after them. Returns a proxy for the stack. */
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

/** Starts a stack in a new data folder. The caller closes it. */
export async function openStack(
  env: Record<string, string> = PROXIED,
  database_url?: string,
  host: StackHost = '127.0.0.1',
  more: Pick<StackOptions, 'one_process' | 'shared_processes' | 'frozen'> = {},
): Promise<OwnStack> {
  const folder = await testDataFolder('e2e');
  const data_dir = folder.path;
  const running = await startStack({
    host,
    port: 0,
    data_dir,
    database_url,
    env: { ...inheritedEnv(), ...env },
    ...more,
  });
  const url = new URL(running.url).origin;
  const close = () => running.close().then(folder.remove);
  return { url, api: apiOf(url), data_dir, running, close };
}
