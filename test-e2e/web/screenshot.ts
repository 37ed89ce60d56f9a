import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../artifacts/screenshots', import.meta.url));

/** Saves the whole page, after its animations, as artifacts/screenshots/NAME.png. Returns the path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
  return path;
}
