import { chromiumProgram } from '@gatehouse/dev-env/programs/chromium';
import { chromium, type Page } from 'playwright-core';
import { type Complaints, watchContext } from './complaints.ts';

export interface Browser {
  /** A page that nothing was done in before: no cookies, no storage, no cache. */
  page(options?: PageOptions): Promise<Page>;
  /** Closes the pages opened so far. @throws Error naming what went wrong in them */
  settle(): Promise<void>;
  /** @throws Error as settle does */
  close(): Promise<void>;
}

export interface PageOptions {
  /** 1280 to 800 unless given. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Light unless given. */
  readonly color_scheme?: 'light' | 'dark';
  /** The address that an edge sees which trusts the loopback as a proxy: limits by address are then the page's own. */
  readonly from?: string;
  /** Complaints that the test means to cause. Each must come. */
  readonly expected?: readonly RegExp[];
}

/** Finds nothing but this machine, whatever a page asks for: requests, preconnections, workers. */
const NOWHERE = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]';

/** A Chromium that shows no window. What its pages do wrong is collected (complaints.ts). */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromiumProgram();
  if (executablePath === undefined) throw new Error('there is no Chromium: see above');
  // Root cannot have Chromium's sandbox, nor can most containers. These pages are our own.
  const args = [`--host-resolver-rules=${NOWHERE}`];
  const browser = await chromium.launch({ executablePath, args, chromiumSandbox: false });
  let watched: { readonly complaints: Complaints; readonly expected: readonly RegExp[] }[] = [];

  async function settle(): Promise<void> {
    const settling = watched;
    watched = [];
    const wrong: string[] = [];
    for (const { complaints, expected } of settling)
      wrong.push(...unexpected(await complaints.close(), expected));
    if (wrong.length > 0) throw new Error(`pages did wrong:\n${wrong.join('\n')}`);
  }

  return {
    async page({
      viewport = { width: 1280, height: 800 },
      color_scheme = 'light',
      from,
      expected = [],
    } = {}) {
      const context = await browser.newContext({
        locale: 'en',
        viewport,
        colorScheme: color_scheme,
        ...(from === undefined ? {} : { extraHTTPHeaders: { 'x-forwarded-for': from } }),
      });
      const complaints = watchContext(context);
      watched.push({ complaints, expected });
      const page = await context.newPage();
      await complaints.watching();
      return page;
    },
    settle,
    close: () => settle().finally(() => browser.close()),
  };
}

function unexpected(complaints: readonly string[], expected: readonly RegExp[]): string[] {
  const others = complaints.filter((complaint) => !expected.some((one) => one.test(complaint)));
  const missing = expected.filter((one) => !complaints.some((complaint) => one.test(complaint)));
  return [...others, ...missing.map((one) => `expected, and did not come: ${one}`)];
}
