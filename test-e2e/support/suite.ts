import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { type StackOptions, startStack } from '@gatehouse/stack/start-stack';
import { afterAll, beforeAll } from 'vitest';
import { type Api, apiOf } from './api.ts';
import { borrowSuite } from './borrow-suite.ts';
import { surroundings } from './command.ts';
import { queryOnce } from './database.ts';

type Stack = Awaited<ReturnType<typeof startStack>>;

/** A suite that tests ask over HTTP. Read its members inside tests only. */
export interface TestSuite {
  /** Where it answers, without /api/v1. */
  readonly url: string;
  readonly api: Api;
  /** Has the mails. Of a suite of one's own also the logs. */
  readonly data_dir: string;
}

/** A suite of this machine that test files share. */
export interface SharedSuite extends TestSuite {
  /** Where each process listens, host:port, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** One statement in a service's own database. */
  query(service: string, sql: string, values: unknown[]): Promise<void>;
}

/** The suite of a test file: its own processes, ports and data folder. */
export interface OwnSuite extends TestSuite {
  readonly running: Stack;
  /** Ends it and removes its data folder. */
  close(): Promise<void>;
}

/** Where a suite's edge listens. Browsers want `localhost`: WebAuthn knows no addresses. */
export type SuiteHost = '127.0.0.1' | 'localhost';

/**
 * The loopback is a proxy to these tests' suites, so that a test can come from an address of its own. No
 * login is held for that.
 */
export const PROXIED = { TRUSTED_PROXIES: '127.0.0.1/32,::1/128', LOGIN_LOCATION_CHECK: 'off' };

/** Ratelimit answers on a busy machine too: without its answer the edge would count by itself, and admit more. */
const PATIENT = { RATELIMIT_TIMEOUT_MS: '6000' };

/** For tests that ask more than clients may. */
export const UNLIMITED = { ...PROXIED, RATE_LIMITS: 'off', NODE_ENV: 'development' };

/** Whether the suite is one that runs already, with Envoy in front and several replicas of each process. */
export const isComposed = Boolean(process.env.GATEHOUSE_SUITE_URL);

/**
 * The suite that runs already, if `npm run e2e -- --compose` says where, otherwise one that is shared. Both have the
 * settings of PROXIED. It is for stories that only ask over HTTP and read mail; their files are what `npm run e2e` runs.
 */
export function useAnySuite(host?: SuiteHost): TestSuite {
  const { GATEHOUSE_SUITE_URL, GATEHOUSE_SUITE_DATA_DIR = '' } = process.env;
  if (!GATEHOUSE_SUITE_URL) return useSharedSuite(PROXIED, host);
  const url = new URL(GATEHOUSE_SUITE_URL);
  if (host !== undefined) url.hostname = host;
  return { url: url.origin, api: apiOf(url.origin), data_dir: GATEHOUSE_SUITE_DATA_DIR };
}

/**
 * A suite for this file's tests that other files had before, with what they left in it, or will have after them. For
 * tests that stop none of its processes.
 */
export function useSharedSuite(env: Record<string, string>, host: SuiteHost = '127.0.0.1'): SharedSuite {
  return duringTests(async () => {
    const { url, addresses, database_url, data_dir, giveBack } = await borrowSuite({
      env: { ...surroundings(), ...PATIENT, ...env },
      host,
    });
    const query = (service: string, sql: string, values: unknown[]) =>
      queryOnce(databaseUrl(database_url, service), sql, values);
    return { suite: { url, addresses, api: apiOf(url), data_dir, query }, end: giveBack };
  });
}

/** Starts a suite before the file's tests and ends it after them; on a database of its own if none is given. */
export function useSuite(
  env: Record<string, string> = PROXIED,
  database?: { readonly url: string },
  host?: SuiteHost,
): OwnSuite {
  return duringTests(async () => {
    const suite = await openSuite(env, database?.url, host);
    return { suite, end: suite.close };
  });
}

/**
 * The same in the test's own process, which takes less to start: for tests that neither stop a process nor count them. A
 * service that changes a message which it received fails.
 */
export function useSuiteInProcess(
  env: Record<string, string> = PROXIED,
  database?: { readonly url: string },
): OwnSuite {
  return duringTests(async () => {
    const suite = await openSuite(env, database?.url, undefined, { one_process: true, frozen: true });
    return { suite, end: suite.close };
  });
}

interface Begun<S> {
  readonly suite: S;
  end(): Promise<void>;
}

/** Begins before the file's tests and ends after them. What it returns has the members of the suite that began. */
function duringTests<S extends object>(begin: () => Promise<Begun<S>>): S {
  let begun: Begun<S> | undefined;
  beforeAll(async () => {
    begun = await begin();
  });
  afterAll(() => begun?.end());
  return new Proxy({} as S, {
    get: (_, member) => {
      if (begun === undefined) throw new Error('the suite is not running');
      return Reflect.get(begun.suite, member);
    },
  });
}

/** Starts a suite in a fresh data folder. Who opens it closes it. */
export async function openSuite(
  env: Record<string, string> = PROXIED,
  database_url?: string,
  host: SuiteHost = '127.0.0.1',
  more: Pick<StackOptions, 'one_process' | 'frozen'> = {},
): Promise<OwnSuite> {
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
