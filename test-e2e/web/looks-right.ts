import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { screenshot } from './screenshot.ts';

const WIDTHS = [320, 1280];

/**
 * Holds the page as it stands against the rules of accessibility, and saves how it looks on a phone and on a desk, in
 * light and in dark. Nothing may reach over its edge. Afterwards the page is as wide as it was.
 */
export async function looksRight(page: Page, name: string): Promise<void> {
  const own = page.viewportSize();
  await expectAccessible(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `${name}-${width}-${colorScheme}`);
    }
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} reaches over its edge at ${width} pixels`).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: null });
  if (own) await page.setViewportSize(own);
}
