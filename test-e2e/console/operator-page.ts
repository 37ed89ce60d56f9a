import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { OwnStack } from '../support/stack.ts';
import { expectAccessible } from '../web/accessibility.ts';
import { screenshot } from '../web/screenshot.ts';

const WIDTHS = [1280, 390];

/** The one-time link of the operator `local`. */
export function localLink({ data_dir }: OwnStack): string {
  return readFileSync(join(data_dir, 'console', 'link'), 'utf8').trim();
}

/** Checks the accessibility of the current page of the console on a desktop and a phone: nothing may overflow. */
export async function expectFit(page: Page, name: string): Promise<void> {
  const own = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
    await screenshot(page, `console-${name}-${width}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} overflows at ${width} pixels`).toBeLessThanOrEqual(0);
  }
  if (own) await page.setViewportSize(own);
}

/** Takes an action of the current page, with its reason in the dialog. Resolves once it is done. */
export async function takeAction(page: Page, label: string, reason: string, done: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.getByText('Write down why').waitFor();
  await dialog.getByLabel('Reason').fill(reason);
  await expectFit(page, `${label.toLowerCase()}-dialog`);
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await page.getByText(done).waitFor();
}
