import type { Browser } from '@gatehouse/dev-env/browser/browser';
import type { Page } from 'playwright-core';
import type { DemoPerson } from './demo-data.ts';
import type { View } from './views.ts';

/** Arabic stands for all languages from right to left. */
export type Direction = 'ltr' | 'rtl';
const LANGUAGE = { ltr: 'en', rtl: 'ar' } as const;

/** Two pages: of a guest, and of a signed-in user. */
export interface ViewPages {
  open(view: View): Promise<Page>;
}

/** Opens `views` in a direction. The language of an account decides that of its pages, so it is changed first. */
export async function viewPages(
  browser: Pick<Browser, 'page'>,
  url: string,
  owner: DemoPerson,
  direction: Direction,
  views: readonly View[],
): Promise<ViewPages> {
  const language = LANGUAGE[direction];
  await owner.client.call('PATCH', '/users/@me', { locale: language });
  const isUnknownOpened = views.some(({ name }) => name === 'not-found');
  const guest = await browser.page({ expected: isUnknownOpened ? [/^answered 404: .*\/no-such-page$/] : [] });
  const user = await browser.page();
  for (const page of [guest, user]) {
    await page.addInitScript(`try { localStorage.setItem('gatehouse.language', '${language}') } catch {}`);
  }
  const session = JSON.stringify(JSON.stringify({ token: owner.token, user_id: owner.user_id }));
  await user.addInitScript(`try { sessionStorage.setItem('gatehouse.session', ${session}) } catch {}`);
  return {
    async open({ path, isSignedIn, opener }) {
      const page = isSignedIn ? user : guest;
      await page.goto('about:blank'); // another fragment of the same page is no new load
      await page.goto(url + path, { waitUntil: 'networkidle' });
      await page.locator('main h1').waitFor();
      if (opener !== undefined) {
        await page.locator(opener).first().click();
        await page.waitForLoadState('networkidle');
      }
      return page;
    },
  };
}
