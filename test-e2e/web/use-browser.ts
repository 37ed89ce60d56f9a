import { type Browser, openBrowser } from '@gatehouse/dev-env/browser/browser';
import { chromiumProgram } from '@gatehouse/dev-env/programs/chromium';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** For describe.skipIf. */
export const chromiumIsMissing = (await chromiumProgram()) === undefined;

/** A browser for the tests beside it. A test whose pages did wrong fails, and no page outlives its test. */
export function useBrowser(): Pick<Browser, 'page'> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(() => browser?.settle());
  afterAll(() => browser?.close());
  return {
    page: (options) => {
      if (browser === undefined) throw new Error('the browser is not open');
      return browser.page(options);
    },
  };
}
