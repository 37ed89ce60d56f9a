import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@gatehouse/dev-env/browser/browser';
import type { Page } from 'playwright-core';
import type { ConsoleStack } from './console-data.ts';
import { type ConsoleView, GUEST_VIEWS } from './console-views.ts';

/** Two pages: of a guest, and of the operator `local`. */
export interface ConsolePages {
  /** Resolves once the view has loaded what it shows. */
  open(view: ConsoleView): Promise<Page>;
}

/** Signs `local` in by the one-time link. */
export async function consolePages(
  browser: Pick<Browser, 'page'>,
  { console_url, data_dir }: ConsoleStack,
): Promise<ConsolePages> {
  const guest = await browser.page();
  const operator = await browser.page();
  const link = readFileSync(join(data_dir, 'console', 'link'), 'utf8').trim();
  await operator.goto(link);
  await operator.getByRole('button', { name: 'Continue' }).click();
  await operator.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return {
    async open(view) {
      const page = GUEST_VIEWS.includes(view) ? guest : operator;
      await page.goto('about:blank'); // another fragment of the same page is no new load
      await page.goto(console_url + view.path);
      await untilLoaded(page);
      for (const name of view.buttons ?? []) {
        await page.getByRole('button', { name, exact: true }).click();
        await untilLoaded(page);
      }
      return page;
    },
  };
}

async function untilLoaded(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.locator('.loading, [data-busy]').first().waitFor({ state: 'detached' });
}
