import { randomBytes } from 'node:crypto';
import type { PageOptions } from '@gatehouse/dev-env/browser/browser';
import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { tokensMailed } from '../support/mail.ts';
import type { BackupCode, TicketAnswer } from '../support/objects.ts';
import { freshAddress, newcomer, type Person, register } from '../support/people.ts';
import { PROXIED, useStack } from '../support/stack.ts';
import { checkAppearance } from './check-appearance.ts';
import { addPasskey } from './passkeys.ts';
import { expectFocus, expectSignedIn, submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';
import { virtualAuthenticator } from './virtual-authenticator.ts';

describe.skipIf(chromiumIsMissing)('signing in', () => {
  const database = useDatabase();
  const stack = useStack({ ...PROXIED, LOGIN_LOCATION_CHECK: 'on' }, database, 'localhost');
  const browser = useBrowser();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });

  /** A page that asks to sign in; by default from its own client address. */
  async function open(options: PageOptions = {}): Promise<Page> {
    const page = await browser.page({ from: freshAddress(), ...options });
    await page.goto(`${stack.url}/account`);
    await step(page, 'Sign in to Gatehouse').waitFor();
    return page;
  }

  /** The sign-in cookie of the page's browser. */
  const cookieOf = async (page: Page) =>
    (await page.context().cookies()).find(({ name }) => name === 'gatehouse');

  /** A user, and an address from which they have logged in before. */
  async function personAt(): Promise<Person & { from: string }> {
    const from = freshAddress();
    return { ...(await register(stack.api.from(from))), from };
  }

  async function withTotp() {
    const person = await newcomer(stack.api);
    const secret = newSecret();
    const body = { secret, code: totp(secret), password: person.password };
    const enabled = await person.api.post('/users/@me/mfa/totp/enable', body);
    const [backup] = enabled.json<{ backup_codes: BackupCode[] }>().backup_codes;
    return { ...person, nextCode: totp(secret, 1), backup: backup?.code ?? '' };
  }

  it('shows a wrong password at its field', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await checkAppearance(page, 'sign-in');
    await submitPassword(page, { ...person, password: 'not the password' });
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await expectFocus(page, 'Password');
    await checkAppearance(page, 'sign-in-wrong');
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('holds in all tabs of the browser, until the browser is closed or the user signs out', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    const cookie = { httpOnly: true, sameSite: 'Lax', expires: -1 };
    await expect.poll(() => cookieOf(page)).toMatchObject(cookie);
    const other = await page.context().newPage();
    await other.goto(`${stack.url}/account`);
    await expectSignedIn(other, person);
    await other.reload();
    await expectSignedIn(other, person);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await button(other, 'Sign out').click();
    await step(other, 'Sign in to Gatehouse').waitFor();
    await expectFocus(other, 'E-mail address');
    await step(page, 'Sign in to Gatehouse').waitFor();
    await other.reload();
    await step(other, 'Sign in to Gatehouse').waitFor();
  });

  it('stays on the device if that is ticked', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await page.getByLabel('Stay signed in on this device').check();
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    const inEightyDays = Date.now() / 1000 + 80 * 24 * 60 * 60;
    await expect.poll(async () => (await cookieOf(page))?.expires).toBeGreaterThan(inEightyDays);
  });

  it('shows neither the form nor a page, and offers no sign-in, until it is known who is signed in', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    await expect.poll(() => cookieOf(page)).toBeDefined();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const openTab = async (path: string) => {
      const tab = await page.context().newPage();
      await tab.route('**/browser-session/resume', async (route) => {
        await held;
        await route.continue();
      });
      await tab.goto(stack.url + path);
      return tab;
    };
    const account = await openTab('/account');
    await account.getByText('Loading…').waitFor();
    expect(await account.getByLabel('Password').count()).toBe(0);
    const start = await openTab('/');
    await start.getByText('Here you manage your account').waitFor();
    expect(await start.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
    release();
    await expectSignedIn(account, person);
    await expectSignedIn(start, person);
  });

  it('keeps the account that a tab shows when another tab signs in as somebody else', async () => {
    const [first, second] = [await personAt(), await personAt()];
    const page = await open({ from: first.from });
    const other = await page.context().newPage();
    await other.goto(`${stack.url}/account`);
    await other.getByLabel('E-mail address').fill(second.email);
    await submitPassword(page, first);
    await expectSignedIn(page, first);
    await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': second.from });
    await submitPassword(other, second);
    await expectSignedIn(other, second);
    for (const [tab, person] of [
      [page, first],
      [other, second],
    ] as const) {
      await tab.reload();
      await expectSignedIn(tab, person);
    }
    await button(page, 'Sign out').click();
    await step(page, 'Sign in to Gatehouse').waitFor();
    await page.reload();
    await step(page, 'Sign in to Gatehouse').waitFor();
    await other.reload();
    await expectSignedIn(other, second);
  });

  it('ends on a page that comes back to the front after the session has ended elsewhere', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    const ended = await person.api.post('/auth/sessions/logout', { all: true });
    expect(ended.status).toBe(204);
    // A page asks the server once in two seconds at most.
    await expect
      .poll(async () => {
        await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
        return page.getByText('Your session has ended').count();
      })
      .toBe(1);
    await page.reload();
    await step(page, 'Sign in to Gatehouse').waitFor();
  });

  it('is resumed even if the browser blocks storage', async () => {
    const person = await personAt();
    const page = await browser.page({ from: person.from });
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })`);
    await page.goto(`${stack.url}/account`);
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    await expect.poll(() => cookieOf(page)).toBeDefined();
    await page.reload();
    await expectSignedIn(page, person);
    await button(page, 'Sign out').click();
    await step(page, 'Sign in to Gatehouse').waitFor();
    await page.reload();
    await step(page, 'Sign in to Gatehouse').waitFor();
  });

  it('is gone from a page restored by the back button after signing out', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    await page.evaluate(`sessionStorage.clear();
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await step(page, 'Sign in to Gatehouse').waitFor();
  });

  it('leaves nothing of one account on the page of the next', async () => {
    const [first, second] = [await personAt(), await personAt()];
    const page = await open({ from: first.from });
    await submitPassword(page, first);
    await expectSignedIn(page, first);
    await page.goto(`${stack.url}/developers#new`);
    await page.getByLabel('Name').fill('Of the first');
    const answer = await stack.api.from(second.from).post('/auth/login', second);
    const { token } = answer.json<{ token: string }>();
    await page.evaluate(`sessionStorage.setItem('gatehouse.session', '${JSON.stringify({ token, user_id: second.user.id })}');
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await expectSignedIn(page, second);
    expect(await page.getByLabel('Name').inputValue()).toBe('');
  });

  it('creates an account, and shows the rules at each field', async () => {
    const page = await open();
    await button(page, 'Create an account').click();
    await expectFocus(page, 'E-mail address');
    await page.getByLabel('E-mail address').fill('nobody');
    await page.getByLabel('User name').fill('two words');
    await page.getByLabel('Password').fill('short');
    await button(page, 'Create the account').click();
    await page.getByText('This is not an e-mail address.').waitFor();
    // Users sign in with the e-mail address: a password manager saves it with the password.
    const fields = { 'E-mail address': 'username', 'User name': 'nickname', Password: 'new-password' };
    for (const [name, kept_as] of Object.entries(fields)) {
      expect(await page.getByLabel(name).getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel(name).getAttribute('autocomplete')).toBe(kept_as);
    }
    await checkAppearance(page, 'sign-in-register');
    const username = `u_${randomBytes(6).toString('hex')}`;
    await page.getByLabel('E-mail address').fill(`${username}@example.com`);
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password').fill('a long enough password');
    await button(page, 'Create the account').click();
    await expectSignedIn(page, { username });
    await page.getByText('Your account is ready.').waitFor();
  });

  it('begins at the start page, for somebody with an account and without one', async () => {
    const page = await browser.page({ from: freshAddress() });
    await page.goto(stack.url);
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Create an account' }).click();
    await step(page, 'Create an account').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await button(page, 'I have an account').click();
    await step(page, 'Sign in to Gatehouse').waitFor();
    await page.goto(stack.url);
    await main.getByRole('link', { name: 'Sign in' }).click();
    await step(page, 'Sign in to Gatehouse').waitFor();
  });

  it('sends a mail for a new password, and shows the same for an unknown address', async () => {
    const person = await personAt();
    const page = await open();
    const shown: string[] = [];
    for (const email of [person.email, `no-${person.email}`]) {
      await button(page, 'Forgot your password?').click();
      await expectFocus(page, 'E-mail address');
      await page.getByLabel('E-mail address').fill(email);
      await button(page, 'Send the link').click();
      await step(page, 'Check your mail').waitFor();
      await expectFocus(page, 'Check your mail');
      shown.push(((await page.getByRole('main').textContent()) ?? '').replace(email, ''));
      await checkAppearance(page, 'sign-in-forgot');
      await button(page, 'Back to sign in').click();
    }
    expect(shown[0]).toBe(shown[1]);
    expect(await tokensMailed(stack.data_dir, person.email, 'reset')).toHaveLength(1);
  });

  it('asks for a code of the authenticator app as the second step', async () => {
    const person = await withTotp();
    const page = await open();
    await submitPassword(page, person);
    await step(page, 'Second step').waitFor();
    await expectFocus(page, 'Code from your authenticator app');
    await page.getByLabel('Code from your authenticator app').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong, or was used already.').waitFor();
    await checkAppearance(page, 'sign-in-second-step');
    await page.getByLabel('Code from your authenticator app').fill(person.nextCode);
    await page.keyboard.press('Enter');
    await expectSignedIn(page, person);
  });

  it('accepts a backup code instead', async () => {
    const person = await withTotp();
    const page = await open();
    await submitPassword(page, person);
    await button(page, 'Use a backup code').click();
    await page.getByLabel('Backup code').fill(person.backup);
    await button(page, 'Continue').click();
    await expectSignedIn(page, person);
  });

  it('starts again when the second step has expired', async () => {
    const person = await withTotp();
    const page = await open();
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth/login'));
    await submitPassword(page, person);
    const { ticket } = (await (await answered).json()) as TicketAnswer;
    for (let wrong = 0; wrong < 5; wrong += 1)
      await stack.api.from(freshAddress()).post('/auth/login/mfa/totp', { ticket, code: '000000' });
    await page.getByLabel('Code from your authenticator app').fill(person.nextCode);
    await page.keyboard.press('Enter');
    await step(page, 'Sign in to Gatehouse').waitFor();
    await page.getByRole('alert').filter({ hasText: 'too many tries' }).waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email);
  });

  it('accepts a passkey as the only or second step, or one of its backup codes', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await virtualAuthenticator(page);
    const [backup = ''] = await addPasskey(page, person);
    await button(page, 'Sign in with a passkey').click();
    await expectSignedIn(page, person);

    await button(page, 'Sign out').click();
    await submitPassword(page, person);
    await step(page, 'Second step').waitFor();
    await checkAppearance(page, 'sign-in-passkey');
    await button(page, 'Use a passkey').click();
    await expectSignedIn(page, person);

    await button(page, 'Sign out').click();
    await submitPassword(page, person);
    await button(page, 'Use a backup code').click();
    await page.getByLabel('Backup code').fill(backup);
    await button(page, 'Continue').click();
    await expectSignedIn(page, person);
  });

  it('shows when no passkey answers, and when a passkey is unknown', async () => {
    const person = await personAt();
    const page = await open({ from: person.from });
    await virtualAuthenticator(page);
    await button(page, 'Sign in with a passkey').click();
    await page.getByText('No passkey was used.').waitFor();
    await addPasskey(page, person);
    const [passkey] = (await person.api.get('/users/@me/mfa/webauthn/credentials')).json<{ id: string }[]>();
    const options = await person.api.post('/users/@me/sudo/webauthn/authentication-options');
    const sudo_proof = await page.evaluate(`navigator.credentials
      .get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${options.text}) })
      .then((passkey) => passkey.toJSON())`);
    const path = `/users/@me/mfa/webauthn/credentials/${passkey?.id}`;
    const removed = await person.api.send('DELETE', path, { body: { sudo_proof } });
    expect(removed.status, removed.text).toBe(204);
    await button(page, 'Sign in with a passkey').click();
    await page.getByText('This passkey is not known here.').waitFor();
  });

  it('waits for the mail after a login from a new place, and continues when its link is opened elsewhere', async () => {
    const person = await personAt();
    const page = await open();
    await page.getByLabel('Stay signed in on this device').check();
    await submitPassword(page, person);
    await step(page, 'Check your mail').waitFor();
    await expectFocus(page, 'Check your mail');
    await page.getByText('You can have it sent again in 30 seconds.').waitFor();
    const shown = await page.getByRole('main').textContent();
    expect(shown).toContain('*');
    expect(shown).not.toContain(person.email);
    await checkAppearance(page, 'sign-in-held');
    const [token] = await tokensMailed(stack.data_dir, person.email, 'authorize-ip');
    const released = await stack.api.from(freshAddress()).post('/auth/authorize-ip', { token });
    expect(released.status).toBe(204);
    await expectSignedIn(page, person);
    await expect.poll(async () => (await cookieOf(page))?.expires).toBeGreaterThan(0);
  });

  /** A page with a fake clock, on which a login is held. */
  async function openHeld(person: Person): Promise<Page> {
    const page = await browser.page({ from: freshAddress() });
    await page.clock.install();
    await page.goto(`${stack.url}/account`);
    await submitPassword(page, person);
    await step(page, 'Check your mail').waitFor();
    return page;
  }

  it('sends that mail again after half a minute', async () => {
    const person = await personAt();
    const page = await openHeld(person);
    expect(await button(page, 'Send the mail again').count()).toBe(0);
    await page.clock.runFor(31_000);
    await button(page, 'Send the mail again').click(); // too early for the server
    await page.getByRole('alert').filter({ hasText: 'cannot be sent again now' }).waitFor();
    const earlier = "UPDATE held_logins SET created_at = created_at - interval '31 s' WHERE account_id = $1";
    await database.query('auth', earlier, [person.user.id]);
    await button(page, 'Send the mail again').click();
    await expectFocus(page, 'The mail was sent again.');
    expect(await button(page, 'Send the mail again').count()).toBe(0);
    expect(await tokensMailed(stack.data_dir, person.email, 'authorize-ip', 2)).toHaveLength(2);
  });

  it('polls for the opened link while the page is visible, for a quarter of an hour', async () => {
    const page = await openHeld(await personAt());
    let polls = 0;
    page.on('request', (request) => {
      if (request.url().includes('/auth/ip-authorization/poll')) polls += 1;
    });
    const see = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await page.clock.runFor(4_000);
    await expect.poll(() => polls).toBeGreaterThan(0);
    await see('hidden');
    await page.clock.runFor(3_000); // the last scheduled poll
    const before = polls;
    await page.clock.runFor(60_000);
    expect(polls).toBe(before);
    await see('visible');
    await expect.poll(() => polls).toBeGreaterThan(before);

    await see('hidden');
    await page.clock.fastForward(15 * 60_000);
    await see('visible');
    await step(page, 'Sign in to Gatehouse').waitFor();
    await page.getByRole('alert').filter({ hasText: 'has ended' }).waitFor();
  });
});
