import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { tokensMailed } from '../../support/mail.ts';
import type { CurrentUser, SessionAnswer } from '../../support/objects.ts';
import { freshAddress, register } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { expectAnnounced, openAccount, openVisitor } from './visitor.ts';

export function mailLinks(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  /** Opens a mail's link; its token does not stay in the address bar. */
  async function open(page: Page, path: string, token: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${stack.url}/${path}#token=${token}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toBe(`${stack.url}/${path}`);
  }
  const newPage = (width = 320) => browser.page({ from: freshAddress(), viewport: { width, height: 640 } });

  describe('a mail’s link', () => {
    it('verifies an address when its button is pressed, once', async () => {
      const { person, page } = await openVisitor(stack, browser);
      const [token = ''] = await tokensMailed(stack.data_dir, person.email, 'verify');
      await open(page, 'verify', token);
      const isVerified = async () => (await person.api.get('/users/@me')).json<CurrentUser>().verified;
      expect(await isVerified()).toBe(false);
      await expectAccessible(page);
      await screenshot(page, 'verify');
      const sent = page.waitForRequest('**/auth/verify');
      await page.getByRole('button', { name: 'Verify' }).click();
      expect(await (await sent).allHeaders()).not.toHaveProperty('authorization');
      await expectAnnounced(page, 'Your e-mail address is verified.');
      expect(await isVerified()).toBe(true);
      await expectAccessible(page);

      await open(page, 'verify', token);
      await page.getByRole('button', { name: 'Verify' }).click();
      await page
        .locator(':focus', { hasText: 'This link or code was used before, or it is too old.' })
        .waitFor();
      await expectAccessible(page);
      await screenshot(page, 'verify-dead');
    });

    it('sets a new password, and signs in', async () => {
      const from = freshAddress();
      const person = await register(stack.api.from(from));
      await stack.api.from(from).post('/auth/forgot', { email: person.email });
      const [token = ''] = await tokensMailed(stack.data_dir, person.email, 'reset');
      const page = await newPage();
      await open(page, 'reset', token);
      await expectAccessible(page);
      await screenshot(page, 'reset');
      await page.getByLabel('New password').fill('short');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('A password has 8 to 256 characters.').waitFor();
      await page.getByLabel('New password').fill('a new password');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await expectAnnounced(page, 'Your password is changed');
      expect((await person.api.get('/users/@me')).status).toBe(401);
      await page.getByRole('link', { name: 'To your account' }).click();
      await page.getByText(person.email).waitFor();

      await open(page, 'reset', token);
      await page.getByLabel('New password').fill('another new password');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('This link or code was used before, or it is too old.').waitFor();
      await expectAccessible(page);
    });

    it('sets a new password, and continues with the second factor', async () => {
      const from = freshAddress();
      const person = await register(stack.api.from(from));
      const secret = newSecret();
      const { password } = person;
      const enabled = await person.api.post('/users/@me/mfa/totp/enable', {
        secret,
        code: totp(secret),
        password,
      });
      expect(enabled.status, enabled.text).toBe(200);
      await stack.api.from(from).post('/auth/forgot', { email: person.email });
      const [token = ''] = await tokensMailed(stack.data_dir, person.email, 'reset');
      const page = await newPage();
      await openAccount(stack, page, person); // that session ends, so the page must not say that the user is signed in
      await open(page, 'reset', token);
      await page.getByLabel('New password').fill('a new password');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByLabel('Code from your authenticator app').fill(totp(secret, 1));
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('You are signed in here.').waitFor();
    });

    it('allows a sign-in from a new place', async () => {
      const from = freshAddress();
      const { email, password } = await register(stack.api.from(from));
      const elsewhere = stack.api.from(freshAddress());
      const held = await elsewhere.post('/auth/login', { email, password });
      expect(held.status, held.text).toBe(403);
      const { ticket } = held.json<{ ticket: string }>();
      const poll = async () =>
        (await elsewhere.get(`/auth/ip-authorization/poll?ticket=${ticket}`)).json<SessionAnswer>();
      const [token = ''] = await tokensMailed(stack.data_dir, email, 'authorize-ip');
      const page = await newPage();
      await open(page, 'authorize-ip', token);
      expect(await poll()).toEqual({ completed: false });
      await expectAccessible(page);
      await screenshot(page, 'authorize-ip');
      await page.getByRole('button', { name: 'Yes, allow it' }).click();
      await expectAnnounced(page, 'The sign-in is allowed.');
      await expectAccessible(page);
      expect((await poll()).token).toMatch(/^gth_/);
    });

    it.each(['verify', 'reset', 'authorize-ip'])(
      'without its token accepts the code from the mail: /%s',
      async (path) => {
        const page = await newPage();
        await page.goto(`${stack.url}/${path}/`);
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('Enter the code from the mail.', { exact: true }).waitFor();
        await expectAccessible(page);
        await page.getByLabel('Code from the mail').fill('b'.repeat(43));
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByLabel('Code from the mail').waitFor({ state: 'detached' });
        // The right link, in the same tab: only the fragment changes.
        await page.goto(`${stack.url}/${path}#token=${'a'.repeat(43)}`);
        await page.getByRole('button').first().waitFor();
        expect(page.url()).toBe(`${stack.url}/${path}`);
      },
    );
  });
}
