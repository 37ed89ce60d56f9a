import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Browser, openBrowser } from '@gatehouse/dev-env/browser/browser';
import { startConsoleStack } from '../../console/all-views/console-stack.ts';
import { GUEST_VIEWS, operatorViews } from '../../console/all-views/console-views.ts';
import { consolePages } from '../../console/all-views/open-console.ts';
import { viewPages } from './open-view.ts';
import { startPagesStack } from './pages-stack.ts';
import { SHOTS_FOLDER, type Shots, shotsPage, takeShots } from './take-shots.ts';
import { chosenViews } from './views.ts';

const HELP = `npm run screenshots -- [NAMES]: takes a picture of every page and main view.

  npm run screenshots                 all of them, at three widths, in two themes; those of the web app in two directions
  npm run screenshots -- guild docs   those with one of these texts in their name
  npm run screenshots -- console-     those of the console

They are in artifacts/screenshots/pages/; index.html there shows them side by side. The command starts stacks of its
own with demo data. It fails if a page logs an error or is wider than its window.
`;

const WIDTHS = [390, 1280, 2560];
const CONSOLE_WIDTHS = [390, 820, 1280];
const CONSOLE = 'console-';

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  mkdirSync(SHOTS_FOLDER, { recursive: true });
  const taken: Shots = { shots: [], tooWide: [] };
  const browser = await openBrowser();
  try {
    if (args.length === 0 || args.some((text) => !text.startsWith(CONSOLE)))
      await webShots(browser, args, taken);
    if (args.length === 0 || args.some((text) => text.startsWith(CONSOLE)))
      await consoleShots(browser, args, taken);
    const { shots, tooWide } = taken;
    const index = join(SHOTS_FOLDER, 'index.html');
    writeFileSync(index, shotsPage(shots));
    process.stdout.write(`${shots.length} pictures: ${relative('.', index)}\n`);
    for (const one of tooWide) process.stderr.write(`wider than its window: ${one}\n`);
    return tooWide.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return 1;
  } finally {
    // The problems of the pages are known, or follow from the error.
    await browser.close().catch(() => undefined);
  }
}

async function webShots(browser: Browser, args: readonly string[], taken: Shots): Promise<void> {
  const stack = await startPagesStack();
  try {
    const views = chosenViews(stack.data, args);
    for (const direction of ['ltr', 'rtl'] as const) {
      const pages = await viewPages(browser, stack.url, stack.data.owner, direction, views);
      for (const view of views.filter(({ isEnglish }) => direction === 'ltr' || !isEnglish)) {
        await takeShots(await pages.open(view), view.name, direction, WIDTHS, taken);
        process.stdout.write(`${view.name} ${direction}\n`);
      }
    }
    await browser.settle();
  } finally {
    await stack.close();
  }
}

/** The console is in English only. */
async function consoleShots(browser: Browser, args: readonly string[], taken: Shots): Promise<void> {
  const stack = await startConsoleStack();
  try {
    const views = [...GUEST_VIEWS, ...operatorViews(stack.data)].filter(
      ({ name }) => args.length === 0 || args.some((text) => name.includes(text)),
    );
    const pages = await consolePages(browser, stack);
    for (const view of views) {
      await takeShots(await pages.open(view), view.name, 'ltr', CONSOLE_WIDTHS, taken);
      process.stdout.write(`${view.name}\n`);
    }
    // Before the stack ends: pages ask it again and again.
    await browser.settle();
  } finally {
    await stack.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
