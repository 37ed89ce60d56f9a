import type { Browser } from '@gatehouse/dev-env/browser/browser';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshAddress, register } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

/** A picture that the tests answer in place of the operator's host. */
const LOGO_URL = 'http://localhost:1/logo.svg';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect width="64" height="32"/></svg>';

/** The settings of an operator. */
export const BRANDING = {
  PRODUCT_NAME: 'Nordlicht & Söhne',
  LOGO_URL,
  ACCENT_COLOR: '#8a1c7c',
  SUPPORT_URL: 'https://nordlicht.example/support?from=chat&lang=en',
  LEGAL_URL: 'https://nordlicht.example/legal',
};
/** The last one has a form. */
const PAGES = { '/': 'Welcome', '/no-such-page': 'Page not found', '/account': 'Your account' };
const ACCENT = 'rgb(138, 28, 124)';
const BUTTON_COLOR = "getComputedStyle(document.querySelector('main .primary')).backgroundColor";

export function brandedPages(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  async function open(expected: readonly RegExp[] = []): Promise<Page> {
    const page = await browser.page({ expected });
    await page.route(LOGO_URL, (route) => route.fulfill({ contentType: 'image/svg+xml', body: LOGO }));
    return page;
  }

  describe('the branding of an operator', () => {
    it('is on pages, in their titles, and on their buttons in the colour that the operator chose', async () => {
      const page = await open([/^answered 404: .*\/no-such-page$/]);
      for (const [path, title] of Object.entries(PAGES)) {
        await page.goto(stack.url + path);
        await page.locator('main h1').waitFor();
        await expect.poll(() => page.title()).toBe(`${title} · ${BRANDING.PRODUCT_NAME}`);
        const brand = page.locator('header .brand');
        expect((await brand.textContent())?.trim()).toBe(BRANDING.PRODUCT_NAME);
        await expectLogo(brand);
        await expectLinks(page.locator('footer'), { Help: BRANDING.SUPPORT_URL, Legal: BRANDING.LEGAL_URL });
      }
      const heading = `Sign in to ${BRANDING.PRODUCT_NAME}`;
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(await page.evaluate(BUTTON_COLOR)).toBe(ACCENT);
    });

    it('is in mails', async () => {
      const { email } = await register(stack.api.from(freshAddress()));
      const page = await open();
      await page.goto(`${stack.url}/dev/mail`);
      await page.getByLabel('Search by address').fill(email);
      await page.getByRole('link', { name: 'Verify your e-mail address' }).click();
      const mail = page.frameLocator('iframe[title="The mail"]');
      await mail.getByText(BRANDING.PRODUCT_NAME, { exact: true }).first().waitFor();
      await expectLogo(mail.locator('body'));
      await expectLinks(mail.locator('body'), {
        Support: BRANDING.SUPPORT_URL,
        'Legal notice': BRANDING.LEGAL_URL,
      });
      const button = mail.getByRole('link', { name: 'Verify the address' });
      expect(await button.getAttribute('style')).toContain(BRANDING.ACCENT_COLOR);
    });
  });
}

async function expectLinks(
  place: ReturnType<Page['locator']>,
  links: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, url] of Object.entries(links))
    expect(await place.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(url);
}

/** Without the picture, the element has no width. */
async function expectLogo(place: ReturnType<Page['locator']>): Promise<void> {
  await expect.poll(async () => (await place.locator('img').boundingBox())?.width).toBe(64);
}
