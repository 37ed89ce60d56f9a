import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../artifacts/screenshots', import.meta.url));

/** Saves the whole page, at rest, as artifacts/screenshots/NAME.png. Comes back with where it is. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
  return path;
}
