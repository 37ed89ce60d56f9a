import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../web/accessibility.ts';
import { chromiumIsMissing, useBrowser } from '../web/use-browser.ts';
import { type FilledConsoleStack, startConsoleStack } from './all-views/console-stack.ts';
import { GUEST_VIEWS, operatorViews } from './all-views/console-views.ts';
import { consolePages } from './all-views/open-console.ts';

const WIDTHS = [390, 820, 1280];
const HEIGHT = 800;

describe.skipIf(chromiumIsMissing)('every view of the console', () => {
  const browser = useBrowser();
  let stack: FilledConsoleStack | undefined;
  beforeAll(async () => {
    stack = await startConsoleStack();
  });
  afterAll(() => stack?.close());

  it('is accessible in both themes, fits three widths and has a title', { timeout: 600_000 }, async () => {
    const { data, ...running } = stack ?? expect.unreachable();
    const views = [...GUEST_VIEWS, ...operatorViews(data)];
    const pages = await consolePages(browser, running);
    const wrong: string[] = [];
    for (const view of views) {
      const page = await pages.open(view);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        const overflow = await overflowOf(page);
        if (overflow > 0) wrong.push(`${view.name} is wider than ${width} pixels, by ${overflow}`);
        if (await hidesCurrentLink(page)) wrong.push(`${view.name} hides a current link at ${width} pixels`);
      }
      await expectAccessible(page).catch(({ message }: Error) => wrong.push(`${view.name}: ${message}`));
      if (!/^.+ · Gatehouse console$/.test(await page.title())) wrong.push(`${view.name} has no title`);
    }
    expect(wrong.join('\n')).toBe('');
  });
});

function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Whether the current link of a strip, such as the tabs, is out of view. A resize scrolls it into view in the next frame. */
function hidesCurrentLink(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))).then(() =>
    [...document.querySelectorAll('nav [aria-current]')].some((link) => {
      const strip = link.closest('nav').getBoundingClientRect();
      const { left, right } = link.getBoundingClientRect();
      return left < strip.left - 1 || right > strip.right + 1;
    }))`);
}
