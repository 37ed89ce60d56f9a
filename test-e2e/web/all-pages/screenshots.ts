import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '@gatehouse/dev-env/browser/browser';
import type { Page } from 'playwright-core';
import { type Direction, viewPages } from './open-view.ts';
import { startPagesStack } from './pages-stack.ts';
import { chosenViews, type View } from './views.ts';

const HELP = `npm run screenshots -- [NAMES]: takes a picture of every page and main view.

  npm run screenshots                 all of them, at three widths, in two themes and two directions
  npm run screenshots -- guild docs   those with one of these texts in their name

They are in artifacts/screenshots/pages/; index.html there shows them side by side. The command starts a stack of its
own with demo data. It fails if a page logs an error or is wider than its window.
`;

const FOLDER = fileURLToPath(new URL('../../../artifacts/screenshots/pages', import.meta.url));
const WIDTHS = [390, 1280, 2560] as const;
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;

interface Shot {
  readonly view: string;
  readonly title: string;
  readonly file: string;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  mkdirSync(FOLDER, { recursive: true });
  const stack = await startPagesStack();
  const browser = await openBrowser();
  const shots: Shot[] = [];
  const tooWide: string[] = [];
  try {
    const views = chosenViews(stack.data, args);
    for (const direction of ['ltr', 'rtl'] as const) {
      const pages = await viewPages(browser, stack.url, stack.data.owner, direction, views);
      for (const view of views.filter(({ isEnglish }) => direction === 'ltr' || !isEnglish)) {
        const page = await pages.open(view);
        shots.push(...(await shotsOf(page, view, direction, tooWide)));
        process.stdout.write(`${view.name} ${direction}\n`);
      }
    }
    writeFileSync(join(FOLDER, 'index.html'), indexOf(shots));
    process.stdout.write(`${shots.length} pictures: ${relative('.', join(FOLDER, 'index.html'))}\n`);
    for (const one of tooWide) process.stderr.write(`wider than its window: ${one}\n`);
    await browser.settle();
    return tooWide.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await stack.close();
  }
}

async function shotsOf(page: Page, view: View, direction: Direction, tooWide: string[]): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      const title = `${width} ${theme} ${direction}`;
      const file = `${view.name}-${width}-${theme}-${direction}.png`;
      await page.screenshot({ path: join(FOLDER, file), fullPage: true, animations: 'disabled' });
      shots.push({ view: view.name, title, file });
    }
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (overflow > 0) tooWide.push(`${view.name} ${width} ${direction}: by ${overflow} pixels`);
  }
  return shots;
}

function indexOf(shots: readonly Shot[]): string {
  const views = Map.groupBy(shots, ({ view }) => view);
  const sections = [...views].map(([view, ofView]) => {
    const figures = ofView.map(
      ({ title, file }) =>
        `<figure><a href="${file}"><img loading="lazy" height="400" src="${file}" alt=""></a><figcaption>${title}</figcaption></figure>`,
    );
    return `<h2>${view}</h2><div>${figures.join('')}</div>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>div{display:flex;gap:1rem;overflow-x:auto}figure{margin:0;flex:none}img{border:1px solid #888}</style>
${sections.join('\n')}</html>
`;
}

process.exitCode = await main(process.argv.slice(2));
