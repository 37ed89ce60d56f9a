import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { UNLIMITED, useSharedStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { createDemoData, type DemoData } from './all-pages/demo-data.ts';
import { viewPages } from './all-pages/open-view.ts';
import { type View, viewsOf } from './all-pages/views.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

/** `npm run screenshots` has the other combinations, and the tests of single pages both themes from left to right. */
const APPEARANCES = [
  { width: 390, direction: 'ltr', scheme: 'light' },
  { width: 1280, direction: 'rtl', scheme: 'dark' },
] as const;

describe.skipIf(chromiumIsMissing)('every page and main view', () => {
  const stack = useSharedStack(UNLIMITED, 'localhost');
  const browser = useBrowser();
  let data: DemoData;
  beforeAll(async () => {
    data = await createDemoData(stack.url);
  });

  it.each(APPEARANCES)(
    'is accessible, fits $width pixels and has a title, $direction, $scheme',
    async ({ width, direction, scheme }) => {
      const views = viewsOf(data).filter(({ isEnglish }) => direction === 'ltr' || !isEnglish);
      const pages = await viewPages(browser, stack.url, data.owner, direction, views);
      const wrong: string[] = [];
      const titles = new Map<string, string>();
      const visit = async (view: View) => {
        const page = await pages.open(view);
        await page.setViewportSize({ width, height: 800 });
        await expectAccessible(page, [scheme]).catch(({ message }: Error) => wrong.push(message));
        const overflow = await overflowOf(page);
        if (overflow > 0) wrong.push(`${view.name} is wider than ${width} pixels, by ${overflow}`);
        titles.set(view.path, await page.title());
      };
      const byUser = Map.groupBy(views, ({ isSignedIn }) => isSignedIn);
      // Guests' views and a user's are in two tabs.
      await Promise.all(
        [...byUser.values()].map(async (group) => {
          for (const view of group) await visit(view);
        }),
      );
      expect(wrong.join('\n')).toBe('');
      expect(new Set(titles.values()).size, [...titles.values()].join('\n')).toBe(titles.size);
    },
  );
});

function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
