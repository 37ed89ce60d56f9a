import { chromiumProgram } from '@gatehouse/dev-env/programs/chromium';
import { chromium, type Page } from 'playwright-core';
import { type Complaints, watchContext } from './complaints.ts';

export interface Browser {
  /** Opens a page in a new context: without cookies, storage and cache. */
  page(options?: PageOptions): Promise<Page>;
  /** Closes the pages opened so far. @throws Error with the complaints of these pages */
  settle(): Promise<void>;
  /** @throws Error as settle does */
  close(): Promise<void>;
}

export interface PageOptions {
  /** Default: 1280 × 800. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Default: light. */
  readonly color_scheme?: 'light' | 'dark';
  /** The client address for an edge that trusts the loopback as a proxy, so that the page has limits of its own. */
  readonly from?: string;
  /** Complaints that the test causes on purpose. Each must occur. */
  readonly expected?: readonly RegExp[];
}

/** Chromium's host resolver rules: only this machine resolves, for requests, preconnections and workers. */
const LOOPBACK_ONLY_RULES =
  'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]';

/** Starts a headless Chromium. Problems of its pages are collected (complaints.ts). */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromiumProgram();
  if (executablePath === undefined) throw new Error('there is no Chromium: see above');
  // Chromium's sandbox works neither as root nor in most containers. The pages are our own.
  const args = [`--host-resolver-rules=${LOOPBACK_ONLY_RULES}`];
  const browser = await chromium.launch({ executablePath, args, chromiumSandbox: false });
  let watched: { readonly complaints: Complaints; readonly expected: readonly RegExp[] }[] = [];

  async function settle(): Promise<void> {
    const settling = watched;
    watched = [];
    const problems: string[] = [];
    for (const { complaints, expected } of settling)
      problems.push(...unexpected(await complaints.close(), expected));
    if (problems.length > 0) throw new Error(`pages had problems:\n${problems.join('\n')}`);
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
  return [...others, ...missing.map((one) => `expected, but did not occur: ${one}`)];
}
