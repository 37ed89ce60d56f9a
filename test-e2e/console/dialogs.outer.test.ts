import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newcomer, type Person } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { chromiumIsMissing, useBrowser } from '../web/use-browser.ts';
import { ConsoleApi } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

describe.skipIf(chromiumIsMissing)('the dialogs of the console', () => {
  const browser = useBrowser();
  let page: Page;
  let person: Person;
  beforeAll(async () => {
    person = await newcomer(stack.api);
    await operator.ok('POST', '/operators', { name: 'ada', role: 'support' });
  });
  beforeEach(async () => {
    const { link } = await operator.ok<{ link: string }>('PATCH', '/operators/local', { new_link: true });
    page = await browser.page();
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });
  const open = (path: string) => page.goto(new URL(path, page.url()).href);
  const button = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

  it('ask before they renew how an operator signs in, or remove one', async () => {
    await open('/operators');
    const change = page.getByRole('button', { name: 'Change ada' });
    await change.click();
    await button('New token').click();
    await button('Make a token').click();
    await page.getByRole('dialog', { name: 'For ada, shown once' }).waitFor();
    await page.keyboard.press('Escape');
    await change.click();
    await button('New link').click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await change.click();
    await button('Remove').click();
    await page.getByRole('dialog', { name: 'Remove ada?' }).waitFor();
    await button('Remove').click();
    await page.getByText('ada is removed.').waitFor();
    await change.waitFor({ state: 'detached' });
  });

  it('say at once what is missing in each field', async () => {
    await open('/limits?tab=overrides');
    await page.getByRole('button', { name: 'Set an override' }).click();
    await button('Set the override').click();
    const wrong = page.getByRole('dialog').locator('[aria-invalid="true"]');
    await expect.poll(() => wrong.count()).toBe(4);
  });

  it('give the focus back to the button, also if the action has changed it', async () => {
    await open(`/accounts/${person.user.id}`);
    await page.getByRole('button', { name: 'Suspend' }).press('Enter');
    await page.keyboard.type('Floods.');
    await button('Suspend').press('Enter');
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await expect.poll(focused).toBe('Restore');
  });

  it('are logged; the way back from a filter of the log leads to the whole log', async () => {
    await open('/log');
    await page.getByText('account.suspend').waitFor();
    await page.getByLabel('By operator').fill('unknown');
    await page.keyboard.press('Enter');
    await page.getByText('The log has no line of an operator “unknown”.').waitFor();
    await page.goBack();
    await page.getByText('account.suspend').waitFor();
    expect(await page.getByLabel('By operator').inputValue()).toBe('');
  });
});
