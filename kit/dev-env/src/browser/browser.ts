import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromiumProgram } from '@gatehouse/dev-env/programs/chromium';
import { chromium, type Page } from 'playwright-core';
import { type PageProblems, watchContext } from './page-problems.ts';

export interface Browser {
  /** Opens a page in a new context: without cookies, storage and cache. */
  page(options?: PageOptions): Promise<Page>;
  /** Closes the pages opened so far. @throws Error with the problems of these pages */
  settle(): Promise<void>;
  /** @throws Error as settle does */
  close(): Promise<void>;
}

export interface PageOptions {
  /** Default: 1280 × 800. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Default: light. */
  readonly color_scheme?: 'light' | 'dark';
  /** Default: English. */
  readonly locale?: string;
  /** The client address for an edge that trusts the loopback as a proxy, so that the page has limits of its own. */
  readonly from?: string;
  /** Problems that the test causes on purpose. Each must occur. */
  readonly expected?: readonly RegExp[];
}

/** Chromium's host resolver rules: only this machine resolves, for requests, preconnections and workers. */
const LOOPBACK_ONLY_RULES =
  'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]';

/** Starts a headless Chromium. Problems of its pages are collected (page-problems.ts). */
export async function openBrowser(): Promise<Browser> {
  const program = await chromiumProgram();
  if (program === undefined) throw new Error('there is no Chromium: see above');
  // Chromium's sandbox works neither as root nor in most containers. The pages are our own.
  const args = [`--host-resolver-rules=${LOOPBACK_ONLY_RULES}`];
  const browser = await chromium.launch({ ...atEqualPriority(program), args, chromiumSandbox: false });
  let watched: { readonly problems: PageProblems; readonly expected: readonly RegExp[] }[] = [];

  async function settle(): Promise<void> {
    const settling = watched;
    watched = [];
    const unexpected: string[] = [];
    for (const { problems, expected } of settling)
      unexpected.push(...unexpectedOf(await problems.close(), expected));
    if (unexpected.length > 0) throw new Error(`pages had problems:\n${unexpected.join('\n')}`);
  }

  return {
    async page({
      viewport = { width: 1280, height: 800 },
      color_scheme = 'light',
      locale = 'en',
      from,
      expected = [],
    } = {}) {
      const context = await browser.newContext({
        locale,
        viewport,
        colorScheme: color_scheme,
        ...(from === undefined ? {} : { extraHTTPHeaders: { 'x-forwarded-for': from } }),
      });
      const problems = watchContext(context);
      watched.push({ problems, expected });
      const page = await context.newPage();
      await problems.watching();
      return page;
    },
    settle,
    close: () => settle().finally(() => browser.close()),
  };
}

/**
 * Run by root, Chromium gives its main and drawing processes priority (a nice value of -8), and the servers under test hang
 * for seconds on a busy machine. Without the capability it cannot. Elsewhere, and without util-linux's setpriv, it is run as
 * it is.
 */
function atEqualPriority(program: string): { executablePath: string; env?: NodeJS.ProcessEnv } {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || spawnSync('setpriv', ['--bounding-set=-sys_nice', 'true']).status !== 0)
    return { executablePath: program };
  const executablePath = fileURLToPath(new URL('equal-chromium.sh', import.meta.url));
  return { executablePath, env: { ...process.env, CHROMIUM: program } };
}

function unexpectedOf(problems: readonly string[], expected: readonly RegExp[]): string[] {
  const others = problems.filter((problem) => !expected.some((one) => one.test(problem)));
  const missing = expected.filter((one) => !problems.some((problem) => one.test(problem)));
  return [...others, ...missing.map((one) => `expected, but did not occur: ${one}`)];
}
