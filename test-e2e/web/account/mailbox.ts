import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { describe, expect, it } from 'vitest';
import { freshAddress, register } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { checkAppearance } from '../check-appearance.ts';
import { expectSignedIn } from '../sign-in-page.ts';

export function mailbox(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  describe('the mailbox', () => {
    it('shows the mail of a new account, whose link verifies the address', async () => {
      const username = `reader${process.pid}`;
      const email = `${username}@example.com`;
      const page = await browser.page();
      await page.goto(`${stack.url}/account`);
      await page.getByRole('button', { name: 'Create an account' }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('User name').fill(username);
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Create the account' }).click();
      await expectSignedIn(page, { username });
      await page.getByText('Not verified').waitFor();

      const mails = await browser.page();
      await mails.goto(`${stack.url}/dev/mail`);
      await mails.getByLabel('Search by address').fill(email.toUpperCase());
      await mails.getByText(/^1 mail( of \d+, the newest first)?\.$/).waitFor();
      await checkAppearance(mails, 'mailbox');
      await mails.getByRole('link', { name: 'Verify your e-mail address' }).click();
      await mails.getByRole('heading', { level: 1, name: 'Verify your e-mail address' }).waitFor();
      await expect.poll(() => mails.evaluate('document.activeElement.id')).toBe('main');
      await expect.poll(() => mails.title()).toBe('Mail: Verify your e-mail address · Gatehouse');
      const document = mails.frameLocator('iframe[title="The mail"]');
      const button = document.getByRole('link', { name: 'Verify the address' });
      await button.waitFor();
      await checkAppearance(mails, 'mail');

      const opened = mails.context().waitForEvent('page');
      await button.click();
      const verify = await opened;
      await verify.getByRole('button', { name: 'Verify' }).click();
      await verify.getByText('Your e-mail address is verified.').waitFor();
      await page.reload();
      await page.getByText('Verified', { exact: true }).waitFor();
    });

    it('has the text with its link, the source, and nothing to run', async () => {
      const { email } = await register(stack.api.from(freshAddress()));
      const page = await browser.page();
      await page.goto(`${stack.url}/dev/mail`);
      await page.getByLabel('Search by address').fill(email);
      await page.getByRole('link', { name: 'Verify your e-mail address' }).click();
      await page.getByRole('link', { name: 'Plain text' }).click();
      const link = await page.locator('pre a').first().getAttribute('href');
      expect(link).toMatch(/\/verify#token=[\w-]{43}$/);
      await page.getByRole('link', { name: 'Source' }).click();
      await page.getByText(`To: ${email}`).waitFor();
      await page.goBack();
      await page.locator('pre a').first().waitFor();
      await page.getByRole('link', { name: 'All mails' }).click();
      await page.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor();
    });

    it('gets new mails by itself, deletes all after a question, and says what comes next', async () => {
      const page = await browser.page();
      await page.goto(`${stack.url}/dev/mail`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const { email } = await register(stack.api.from(freshAddress()));
      await page.getByText(email).waitFor();
      await page.getByRole('button', { name: 'Delete all' }).click();
      const question = page.getByRole('dialog', { name: /^Delete (all \d+ mails|the mail)\?$/ });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText(email).waitFor();
      await page.getByRole('button', { name: 'Delete all' }).click();
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No mail yet.').waitFor();
      await checkAppearance(page, 'mailbox-empty');
    });
  });
}
