import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useAnyStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { openPortal } from './developers/portal.ts';
import { screenshot } from './screenshot.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

describe.skipIf(chromiumIsMissing)('“Try it” in the developer portal', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();

  /** A new application with the redirect URI that the page adds. */
  async function ready(options = {}) {
    const portal = await openPortal(stack, browser, options);
    const application = await portal.openApplication('/try', { redirect_uris: [] });
    await portal.page.getByRole('button', { name: 'Add this redirect URI' }).click();
    await portal.page.getByRole('button', { name: 'Prepare the request' }).waitFor();
    return { ...portal, ...application };
  }

  async function prepare(page: Page, client_secret: string): Promise<void> {
    await page.getByLabel('Client secret', { exact: true }).fill(client_secret);
    await page.getByRole('button', { name: 'Prepare the request' }).click();
    await page.getByRole('heading', { name: '1. Ask for authorization' }).waitFor();
  }

  /** Completes consent in the tab that it opens. */
  async function answer(page: Page, button: 'Allow' | 'Refuse'): Promise<Page> {
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open consent in a new tab' }).click(),
    ]);
    await tab.getByRole('button', { name: button }).click();
    await tab.waitForURL('**/developers/try*');
    return tab;
  }

  const step = (page: Page, name: string) =>
    page.getByRole('region', { name: new RegExp(`^\\d+\\. ${name}$`) }).last();

  test('the flow goes from the request to userinfo, refresh and revoke', async () => {
    const { page, person, id, client_secret, go } = await ready();
    await page.getByRole('checkbox', { name: /^email / }).check();
    await prepare(page, client_secret);
    await expectAccessible(page);

    const tab = await answer(page, 'Allow');
    await tab.getByText('You can close this one.').waitFor();
    expect(tab.url(), 'the code is out of the address bar').toBe(`${stack.url}/developers/try`);
    await expectAccessible(tab);
    await tab.close();

    const exchange = step(page, 'Exchange the code');
    await exchange.getByText('Answer: 200').waitFor();
    await exchange.getByText('"scope": "email identify"').waitFor();
    expect(await page.content()).not.toContain(client_secret);
    await exchange.getByRole('button', { name: 'Show credentials' }).click();
    const shown = (await exchange.locator('pre').allTextContents()).join('\n');
    expect(shown).toContain(`client_secret=${client_secret}`);
    const { access_token, refresh_token } = JSON.parse(
      shown.slice(shown.indexOf('{'), shown.indexOf('}') + 1),
    );
    await exchange.getByRole('button', { name: 'Show credentials' }).click();
    expect(await page.content()).not.toContain(access_token);
    await exchange.getByText('As curl').click();
    await exchange.getByText('--data-urlencode "code=$CODE"').waitFor();

    const use = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await use('Ask who the user is');
    await step(page, 'Ask who the user is').getByText(`"email": "${person.email}"`).waitFor();
    await use('Ask what the token allows');
    await step(page, 'Ask what the token allows').getByText('"name": "Clock"').waitFor();
    await use('Introspect the access token');
    await step(page, 'Introspect the access token').getByText('"active": true').waitFor();
    await use('Refresh');
    await step(page, 'Refresh').getByText('Answer: 200').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'developers-try-done');

    await use('Revoke');
    await step(page, 'Revoke').getByText('(empty)').waitFor();
    await use('Ask who the user is');
    await step(page, 'Ask who the user is').getByText('Answer: 401').waitFor();
    await expectAccessible(page);
    const old = await stack.api.as(`Bearer ${access_token}`).get('/oauth2/@me');
    expect(old.status, 'the first access token').toBe(401);

    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    for (const secret of [client_secret, access_token, refresh_token]) expect(kept).not.toContain(secret);
    await go(`#${id}`);
    await go(`#${id}/try`);
    await page.getByRole('button', { name: 'Prepare the request' }).waitFor();
    expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toBe('');
    expect(await page.getByRole('heading', { name: 'Use the tokens' }).count()).toBe(0);
  });

  test('a wrong secret leaves the code to be exchanged with the right one', async () => {
    const { page, client_secret } = await ready({ viewport: { width: 320, height: 800 } });
    await prepare(page, 'wrong');
    await (await answer(page, 'Allow')).close();
    await step(page, 'Exchange the code').getByText('Answer: 401').waitFor();
    await page.getByRole('region', { name: 'No tokens yet' }).getByLabel('Client secret').fill(client_secret);
    await screenshot(page, 'developers-try-320');
    await page.getByRole('button', { name: 'Exchange again' }).click();
    await step(page, 'Exchange the code').getByText('Answer: 200').waitFor();
    await page.getByRole('heading', { name: 'Use the tokens' }).waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test('a refusal comes back too', async () => {
    const { page, client_secret } = await ready();
    await prepare(page, client_secret);
    await answer(page, 'Refuse');
    await step(page, 'Back without a code').getByText('error=access_denied').waitFor();
    await expectAccessible(page);
  });

  test('a callback without a request is ignored', async () => {
    const { page, client_secret } = await ready();
    await prepare(page, client_secret);
    const stray = await page.context().newPage();
    await stray.goto(`${stack.url}/developers/try?code=planted&state=guessed`);
    await stray.getByText('No page of the developer portal waits for this answer').waitFor();
    expect(stray.url()).toBe(`${stack.url}/developers/try`);
    expect(await page.getByRole('heading', { name: '2. Back with a code' }).count()).toBe(0);
    await stray.goto(`${stack.url}/developers/try`);
    await stray.getByText('There is nothing to do here.').waitFor();
    await expectAccessible(stray);
  });

  test('with only a bot the flow ends at consent', async () => {
    const { page } = await ready();
    await page.getByRole('checkbox', { name: /^bot / }).check();
    await page.getByRole('checkbox', { name: /^identify / }).uncheck();
    expect(await page.getByLabel('Client secret', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Prepare the request' }).click();
    await page.getByText('For the bot alone the flow ends there').waitFor();
    const href = await page.getByRole('link', { name: 'Open consent in a new tab' }).getAttribute('href');
    expect([...new URL(href ?? '').searchParams.keys()]).toEqual([
      'client_id',
      'response_type',
      'scope',
      'state',
    ]);
  });

  test('without a scope or the secret no request is prepared', async () => {
    const { page } = await ready();
    await page.getByRole('button', { name: 'Prepare the request' }).click();
    await page.getByText('The exchange of the code needs it.').waitFor();
    await page.getByRole('checkbox', { name: /^identify / }).uncheck();
    await page.getByText('Choose at least one scope.').waitFor();
    expect(await page.getByRole('heading', { name: '1. Ask for authorization' }).count()).toBe(0);
  });
});
