import { type Browser, openBrowser } from '@gatehouse/dev-env/browser/browser';
import { chromiumProgram } from '@gatehouse/dev-env/programs/chromium';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Whether Chromium is not installed, for describe.skipIf. */
export const chromiumIsMissing = (await chromiumProgram()) === undefined;

/**
 * A browser for the tests of its `describe`. A test fails if one of its pages had a problem, and its pages are closed
 * after it.
 */
export function useBrowser(): Pick<Browser, 'page'> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(() => browser?.settle());
  afterAll(() => browser?.close());
  return {
    page: (options) => {
      if (browser === undefined) throw new Error('the browser is not running');
      return browser.page(options);
    },
  };
}
