import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Application } from '../support/objects.ts';
import { freshAddress, newcomer } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { checkAppearance } from './check-appearance.ts';
import { screenshot } from './screenshot.ts';
import { expectFocus, submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

const PLACEHOLDER = '1234567890123456789';

describe.skipIf(chromiumIsMissing)('/docs', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();

  const open = async (path: string): Promise<Page> => {
    const page = await browser.page({ from: freshAddress() });
    await page.goto(stack.url + path, { waitUntil: 'networkidle' });
    return page;
  };

  /** A page of /docs with a signed-in user, who has these applications. */
  async function openAs(path: string, names: readonly string[]) {
    const person = await newcomer(stack.api);
    const applications: Application[] = [];
    for (const name of names)
      applications.push((await person.api.post('/oauth2/applications', { name })).json<Application>());
    const page = await open('/developers');
    await submitPassword(page, person);
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Documentation' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
    await page.goto(stack.url + path);
    return { page, person, applications };
  }

  test.each([
    ['overview', '/docs'],
    ['operation', '/docs/reference/listMessages'],
    ['guide', '/docs/errors'],
  ])('%s is accessible, and fits a phone and a desk, in light and in dark', async (name, path) => {
    const page = await open(path);
    if (name === 'operation')
      await page.locator('main details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
    await checkAppearance(page, `docs-${name}`);
    await page.setViewportSize({ width: 2560, height: 1200 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  test('the page of the Gateway is accessible', async () => {
    await expectAccessible(await open('/docs/gateway-reference'));
  });

  test('the start page leads to it', async () => {
    const page = await open('/');
    await page.getByRole('main').getByRole('link', { name: 'Documentation' }).click();
    await page.waitForURL('**/docs');
    await page.getByRole('heading', { level: 2, name: 'Guides' }).waitFor();
  });

  test('by keyboard alone a reader finds an operation and sends it', async () => {
    const { page, person } = await openAs('/docs', []);
    await page.getByRole('combobox', { name: 'Search the documentation' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('get current user');
    await page.getByRole('option', { name: /^Get current user/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/getCurrentUser');
    await page.getByText(`It is sent as ${person.user.username}`).waitFor();
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Skip to the content');
    await page.keyboard.press('Enter');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    for (let presses = 0; presses < 40; presses++) {
      if (await send.evaluate((button) => button.matches(':focus'))) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Answer: 200').waitFor();
    await screenshot(page, 'docs-sent');
    const shown = await page.locator('.answer').textContent();
    expect(shown).toContain(person.user.id);
    expect(shown).toContain('X-Request-Id');
    expect(await page.content()).not.toContain(person.token);
  });

  test('the examples have the address of the page and the ID of the reader’s application', async () => {
    const path = '/docs/reference/getApplication';
    const guest = await open(path);
    expect(await guest.locator('.example code').first().textContent()).toContain(PLACEHOLDER);

    const { page, applications } = await openAs(path, ['Clock', 'Watch']);
    const [clock, watch] = applications;
    const examples = page.locator('.example code');
    await page.getByLabel('The application in the example').selectOption({ label: 'Clock' });
    for (const language of ['curl', 'TypeScript', 'Python', 'Go']) {
      await page.getByRole('radio', { name: language }).check();
      const code = await page.locator('.example code:visible').textContent();
      expect(code, language).toContain(clock?.id);
      expect(code, language).toContain(stack.url);
    }
    expect((await examples.allTextContents()).join()).not.toContain(PLACEHOLDER);
    await page.getByLabel('The application in the example').selectOption({ label: 'Watch' });
    await page
      .locator('.example code:visible')
      .getByText(watch?.id ?? 'none')
      .waitFor();

    await page.goto(`${stack.url}/docs/reference/createGuild`);
    expect(await page.getByRole('radio', { name: 'Go' }).isChecked(), 'the language is remembered').toBe(
      true,
    );
  });

  test('errors of a request are shown at its parameters and by their code', async () => {
    const { page } = await openAs('/docs/reference/listMessages', []);
    const send = () => page.getByRole('button', { name: 'Send', exact: true }).click();
    await send();
    await page.getByText('This parameter needs a value.').waitFor();
    await page.getByLabel('channel_id').fill('x');
    await send();
    await page.getByRole('status').getByText('Answer: 400').waitFor();
    await page.getByLabel('channel_id').fill('1');
    await send();
    await page.getByRole('status').getByText('Answer: 404').waitFor();
    await page.getByRole('link', { name: 'NOT_FOUND' }).first().click();
    await page.waitForURL('**/docs/errors#NOT_FOUND');
  });

  test('the HTML of a page has its content without the script', async () => {
    const response = await fetch(`${stack.url}/docs/reference/createMessage`);
    const html = await response.text();
    for (const part of ['<title>Create message', 'AllowedMentions', 'channel:message:create', 'net/http'])
      expect(html).toContain(part);
    expect(response.headers.get('content-security-policy')).toContain("trusted-types 'none'");
  });

  test('its scripts stay under 80 KB uncompressed', async () => {
    const page = await browser.page();
    const bytes = await scriptBytes(page, `${stack.url}/docs/reference/listMessages`);
    expect(bytes.raw).toBeLessThan(80_000);
  });
});
