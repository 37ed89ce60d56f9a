import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { screenshot } from './screenshot.ts';

const WIDTHS = [320, 1280];

/**
 * Checks the accessibility of the current page, and saves screenshots at phone and desktop width, in light and in
 * dark. Nothing may overflow horizontally. Restores the page's width.
 */
export async function checkAppearance(page: Page, name: string): Promise<void> {
  const own = page.viewportSize();
  await expectAccessible(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `${name}-${width}-${colorScheme}`);
    }
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} overflows at ${width} pixels`).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: null });
  if (own) await page.setViewportSize(own);
}
