import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { expect, it } from 'vitest';
import type { CurrentUser } from '../../support/objects.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { expectAnnounced, openVisitor } from './visitor.ts';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const NAME = 'ليلى Lane 👩‍💻';

export function profileOfAnAccount(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  it('changes the picture, and says why a file is no picture', async () => {
    const { person, page } = await openVisitor(stack, browser);
    const section = page.getByRole('region', { name: 'Profile' });
    const choose = (name: string, buffer: Buffer) =>
      section.getByLabel('Picture', { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer });
    await choose('notes.png', Buffer.from('no picture at all'));
    await section.locator('.problem').waitFor();
    await choose('me.png', PIXEL);
    await expectAnnounced(page, 'Your picture is changed.');
    await section.getByRole('img', { name: 'Your picture' }).waitFor();
    await section.getByRole('button', { name: 'Remove the picture' }).click();
    await expectAnnounced(page, 'Your picture is removed.');
    expect((await person.api.get('/users/@me')).json<CurrentUser>().avatar).toBeNull();
  });

  it('saves a display name in Arabic, Latin and joined emoji, and names the limit of a long one', async () => {
    const { person, page } = await openVisitor(stack, browser);
    const section = page.getByRole('region', { name: 'Profile' });
    const save = () => section.getByRole('button', { name: 'Save', exact: true }).click();
    await section.getByLabel('Display name').fill('n'.repeat(100));
    await save();
    await section.getByText('A display name has at most 32 characters.').waitFor();
    await section.getByLabel('Display name').fill(NAME);
    await section.getByLabel('Pronouns').fill('هي/she');
    await section.getByLabel('About you').fill('b'.repeat(321));
    await save();
    await section.getByText('This text has at most 320 characters.').waitFor();
    await section.getByLabel('About you').fill('Two lines,\nسطران');
    await save();
    await expectAnnounced(page, 'Your profile is saved.');
    expect((await person.api.get('/users/@me')).json<CurrentUser>()).toMatchObject({
      global_name: NAME,
      pronouns: 'هي/she',
      bio: 'Two lines,\nسطران',
    });
    await section.getByLabel('Display name').fill(' ');
    await save();
    await expect
      .poll(async () => (await person.api.get('/users/@me')).json<CurrentUser>().global_name)
      .toBeNull();
  });

  it('speaks another language at once, and the next page too', async () => {
    const { person, page } = await openVisitor(stack, browser);
    await page.getByLabel('Language of pages and mails').selectOption('العربية');
    await expectAnnounced(page, 'حُفظت لغتك.');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect((await person.api.get('/users/@me')).json<CurrentUser>()).toMatchObject({ locale: 'ar' });
    await expectAccessible(page);
    await screenshot(page, 'account-arabic');
    await page.reload();
    await page.getByRole('region', { name: 'الملف الشخصي' }).waitFor();
  });

  it('shows the history of sign-ins, and where to go if it was somebody else', async () => {
    const { person, page, from } = await openVisitor(stack, browser);
    const { email } = person;
    // A fifth one within the quarter of an hour would be 429.
    for (let attempt = 0; attempt < 4; attempt += 1)
      await stack.api.from(from).post('/auth/login', { email, password: 'a wrong one' });
    await page.reload();
    const section = page.getByRole('region', { name: 'Sign-ins' });
    await section.getByText('This session').waitFor();
    expect(await section.getByRole('listitem').count()).toBe(5);
    expect(await section.getByText('Check this').count()).toBe(4);
    await expectAccessible(page);
    await screenshot(page, 'account-sign-ins');
    await section.getByRole('link', { name: 'Change the password' }).click();
    expect(await page.locator('#password').isVisible()).toBe(true);
  });
}
