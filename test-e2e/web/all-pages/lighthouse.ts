import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstPaint } from '@gatehouse/dev-env/browser/first-paint';
import { freePort } from '@gatehouse/dev-env/free-port';
import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { chromiumProgram } from '@gatehouse/dev-env/programs/chromium';
import { type BrowserContext, chromium } from 'playwright-core';
import { type PagesStack, startPagesStack } from './pages-stack.ts';
import { chosenViews, type View } from './views.ts';

const HELP = `npm run lighthouse -- [NAMES]: rates every page and main view with Lighthouse.

  npm run lighthouse                  all of them, as on a phone
  npm run lighthouse -- guild docs    those with one of these texts in their name

It starts a stack of its own with demo data, and prints the scores for performance, accessibility and best practices,
and the first paint as a multiple of that of an empty page. It fails below 95, and above twice the empty page. The
reports are in artifacts/lighthouse/. npm downloads Lighthouse when the command first runs.
`;

/** Exact: another version rates the same page differently. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const FOLDER = fileURLToPath(new URL('../../../artifacts/lighthouse', import.meta.url));
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const MIN_SCORE = 95;
const MAX_PAINT = 2;
const LOADS = 7;
/** Not rated: it answers 404, which is an error to Lighthouse. */
const UNRATED = ['not-found'];

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
}

interface Rating {
  readonly view: string;
  readonly scores: readonly number[];
  /** As a multiple of the empty page's. */
  readonly paint: number;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const executablePath = await chromiumProgram();
  if (executablePath === undefined) return 1;
  mkdirSync(FOLDER, { recursive: true });
  const stack = await startPagesStack();
  const port = await freePort();
  const browser = await chromium.launchPersistentContext('', {
    executablePath,
    chromiumSandbox: false,
    args: [`--remote-debugging-port=${port}`],
  });
  try {
    const views = chosenViews(stack.data, args).filter(({ name }) => !UNRATED.includes(name));
    const ratings = await rate(views, stack, browser, port);
    process.stdout.write(tableOf(ratings));
    return ratings.every(isGood) ? 0 : 1;
  } finally {
    await browser.close();
    await stack.close();
  }
}

/** Guests' views first: the sign-in cookie, which signs in every new tab, is set after them. */
async function rate(
  views: readonly View[],
  stack: PagesStack,
  browser: BrowserContext,
  port: number,
): Promise<readonly Rating[]> {
  const ratings: Rating[] = [];
  const page = await browser.newPage();
  for (const isSignedIn of [false, true]) {
    if (isSignedIn) await setSignInCookie(browser, stack);
    for (const view of views.filter((one) => one.isSignedIn === isSignedIn)) {
      const empty_ms = await firstPaint(page, `${stack.url}/livez`, LOADS);
      const paint = (await firstPaint(page, stack.url + view.path, LOADS)) / empty_ms;
      await page.goto('about:blank');
      const scores = await scoresOf(view, stack.url, port);
      ratings.push({ view: view.name, scores, paint });
      process.stdout.write(`${view.name}: ${scores.join(' ')}, first paint × ${paint.toFixed(2)}\n`);
    }
  }
  return ratings;
}

/** Lighthouse opens a tab of its own, which has no session but the cookie's. */
async function setSignInCookie(browser: BrowserContext, { url, data }: PagesStack): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${url}/livez`);
  const status = await page.evaluate<number>(`fetch('/api/v1/auth/browser-session', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { authorization: 'Bearer ${data.owner.token}', 'content-type': 'application/json' },
    body: '{"stay_signed_in":true}',
  }).then(({ status }) => status)`);
  if (status !== 204) throw new Error(`the sign-in cookie was not set: ${status}`);
  await page.close();
}

/** @throws Error if Lighthouse could not rate the page */
async function scoresOf({ name, path }: View, url: string, port: number): Promise<readonly number[]> {
  const output = join(FOLDER, name);
  const options = [
    `--port=${port}`,
    '--disable-storage-reset',
    '--quiet',
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json,html',
    `--output-path=${output}`,
  ];
  const lighthouse = ['--yes', LIGHTHOUSE, url + path, ...options];
  const child = spawn('npx', lighthouse, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Lighthouse ended with ${code} at ${name}`);
  const { categories } = JSON.parse(readFileSync(`${output}.report.json`, 'utf8')) as Report;
  return CATEGORIES.map((category) => Math.round(100 * (categories[category]?.score ?? 0)));
}

function isGood({ scores, paint }: Rating): boolean {
  return paint <= MAX_PAINT && scores.every((score) => score >= MIN_SCORE);
}

function tableOf(ratings: readonly Rating[]): string {
  const rows = ratings.map(({ view, scores, paint }) => [view, ...scores.map(String), paint.toFixed(2)]);
  return markdownTable(['page', ...CATEGORIES, 'first paint / empty page'], rows);
}

process.exitCode = await main(process.argv.slice(2));
