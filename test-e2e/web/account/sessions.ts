import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import { expect, it } from 'vitest';
import { freshAddress, register } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { expectAnnounced, openAccount, openVisitor, signIn } from './visitor.ts';

export function sessionsOfAnAccount(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  it('lists the sessions and ends another one, whose token is dead', async () => {
    const from = freshAddress();
    const person = await register(stack.api.from(from));
    const page = await browser.page({ from });
    await signIn(stack, page, person);
    const devices = page.getByRole('region', { name: 'Devices' });
    await expect.poll(() => devices.getByRole('listitem').count()).toBe(2);
    const [first = '', second = ''] = await devices.getByRole('listitem').allTextContents();
    expect(first).toContain('Chrom');
    expect(first).toContain('This device');
    expect(first).toMatch(/Signed in from 10\.\d+\.\*\.\*, last used just now/);
    expect(second).not.toContain('This device');
    expect(await devices.locator('time').first().getAttribute('datetime')).toMatch(/Z$/);

    await devices.getByRole('button', { name: 'Sign out node' }).click();
    await expectAnnounced(page, 'is signed out.');
    expect(await devices.getByRole('listitem').count()).toBe(1);
    expect((await person.api.get('/users/@me')).status).toBe(401);
  });

  it('announces each device that is signed out, also of the same kind', async () => {
    const { person, page, from } = await openVisitor(stack, browser);
    const { email, password } = person;
    for (let more = 0; more < 2; more += 1)
      await stack.api.from(from).post('/auth/login', { email, password });
    await page.reload();
    const ends = page.getByRole('button', { name: 'Sign out node' });
    // The page's own session is of the same kind and has no such button.
    for (const left of [1, 0]) {
      await ends.first().click();
      await expect.poll(() => ends.count()).toBe(left);
      await expectAnnounced(page, 'is signed out.');
    }
  });

  it('ends all other sessions, after asking', async () => {
    const { person, page, from } = await openVisitor(stack, browser);
    const others = await Promise.all(
      [1, 2].map(async () => {
        const { email, password } = person;
        const login = await stack.api.from(from).post('/auth/login', { email, password });
        return stack.api.as(`Bearer ${login.json<{ token: string }>().token}`);
      }),
    );
    await page.reload();
    const all = page.getByRole('button', { name: 'Sign out all others' });
    await all.click();
    const question = page.getByRole('dialog', { name: 'Sign out all others?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => question.count()).toBe(0);
    for (const other of others) expect((await other.get('/users/@me')).status).toBe(200);

    await all.click();
    await question.getByRole('button', { name: 'Sign out all others' }).click();
    await expectAnnounced(page, 'All other devices are signed out.');
    for (const other of others) expect((await other.get('/users/@me')).status).toBe(401);
    expect((await person.api.get('/users/@me')).status).toBe(200);
  });

  it('asks to sign in when its session has ended elsewhere', async () => {
    const { person, page } = await openVisitor(stack, browser);
    await person.api.post('/auth/logout');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByLabel('New password').fill('a new password');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByText('Your session has ended').waitFor();
    await expectAccessible(page);
  });

  it('has less than 80 KB of compressed script, also for a signed-in user', async () => {
    const { page } = await openVisitor(stack, browser);
    const { sent, encodings } = await scriptBytes(page, `${stack.url}/account`);
    expect(encodings).not.toContain('none');
    expect(sent).toBeGreaterThan(10_000);
    expect(sent).toBeLessThan(80_000);
  });

  it.each([320, 1280])('is accessible and fits a window %i wide', async (width) => {
    const { person, page } = await openVisitor(stack, browser, { viewport: { width, height: 800 } });
    await openAccount(stack, page, person);
    await page.getByText('You have allowed no application').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await expectAccessible(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `account-${width}-${colorScheme}`);
    }
  });
}
