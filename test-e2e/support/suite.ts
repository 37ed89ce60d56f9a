import { rm } from 'node:fs/promises';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { afterAll, beforeAll } from 'vitest';
import { startSuite } from '../../scripts/suite.ts';
import { type Api, apiOf } from './api.ts';
import { surroundings } from './command.ts';

type Suite = Awaited<ReturnType<typeof startSuite>>;

/** A suite that tests ask over HTTP. Read its members inside tests only. */
export interface TestSuite {
  /** Where it answers, without /api/v1. */
  readonly url: string;
  readonly api: Api;
  /** Has the mails. Of a suite of one's own also the logs. */
  readonly data_dir: string;
}

/** The suite of a test file: its own processes, ports and data folder. */
export interface OwnSuite extends TestSuite {
  readonly running: Suite;
}

/**
 * The loopback is a proxy to these tests' suites, so that a test can come from an address of its own. No
 * login is held for that.
 */
export const PROXIED = { TRUSTED_PROXIES: '127.0.0.1/32,::1/128', LOGIN_LOCATION_CHECK: 'off' };

/** Whether the suite is one that runs already, with Envoy in front and several replicas of each process. */
export const isComposed = Boolean(process.env.GATEHOUSE_SUITE_URL);

/**
 * The suite that runs already, if `npm run e2e -- --compose` says where, otherwise one of the file's own. Both have the
 * settings of PROXIED. It is for stories that only ask over HTTP and read mail; their files are what `npm run e2e` runs.
 */
export function useAnySuite(host?: '127.0.0.1' | 'localhost'): TestSuite {
  const { GATEHOUSE_SUITE_URL, GATEHOUSE_SUITE_DATA_DIR = '' } = process.env;
  if (!GATEHOUSE_SUITE_URL) return useSuite(PROXIED, undefined, host);
  const url = new URL(GATEHOUSE_SUITE_URL);
  if (host !== undefined) url.hostname = host;
  return { url: url.origin, api: apiOf(url.origin), data_dir: GATEHOUSE_SUITE_DATA_DIR };
}

/**
 * Starts a suite before the file's tests and ends it after them; on a database of its own if none is given. Browsers
 * want it at the host `localhost`: WebAuthn knows no addresses.
 */
export function useSuite(
  env: Record<string, string> = PROXIED,
  database?: { readonly url: string },
  host?: '127.0.0.1' | 'localhost',
): OwnSuite {
  let started: OwnSuite | undefined;
  beforeAll(async () => {
    started = await openSuite(env, database?.url, host);
  });
  afterAll(async () => {
    await started?.running.close();
    if (started !== undefined) await rm(started.data_dir, { recursive: true, force: true });
  });
  const suite = (): OwnSuite => {
    if (started === undefined) throw new Error('the suite is not running');
    return started;
  };
  return {
    get url() {
      return suite().url;
    },
    get api() {
      return suite().api;
    },
    get data_dir() {
      return suite().data_dir;
    },
    get running() {
      return suite().running;
    },
  };
}

/** Starts a suite in a fresh data folder. Who opens it closes it, and removes the folder. */
export async function openSuite(
  env: Record<string, string> = PROXIED,
  database_url?: string,
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<OwnSuite> {
  const { path: data_dir } = await testDataFolder('e2e');
  const running = await startSuite({
    host,
    port: 0,
    data_dir,
    database_url,
    env: { ...surroundings(), ...env },
  });
  const url = new URL(running.url).origin;
  return { url, api: apiOf(url), data_dir, running };
}
