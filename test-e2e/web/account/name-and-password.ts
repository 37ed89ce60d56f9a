import type { Browser } from '@gatehouse/dev-env/browser/browser';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { CurrentUser } from '../../support/objects.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { confirmByPassword, expectAnnounced, openVisitor } from './visitor.ts';

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
    );
    if (text === name) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

export function nameAndPassword(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  it('changes the password with only the keyboard', async () => {
    const { person, page, from } = await openVisitor(stack, browser);
    await tabTo(page, 'Change the password');
    await page.keyboard.press('Enter');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.getByText('A password has 8 to 256 characters.').waitFor();
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('quite a new password');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Is it really you?' }).getByLabel('Password').waitFor();
    await page.keyboard.type(person.password); // the question has the focus
    await page.keyboard.press('Enter');
    await expectAnnounced(page, 'Your password is changed. All other devices are signed out.');
    const login = (password: string) =>
      stack.api.from(from).post('/auth/login', { email: person.email, password });
    expect((await login(person.password)).status).toBe(400);
    expect((await login('quite a new password')).status).toBe(200);
  });

  it('shows a password while it is being chosen', async () => {
    const { page } = await openVisitor(stack, browser);
    await page.getByRole('button', { name: 'Change the password' }).click();
    const field = page.getByLabel('New password');
    expect(await field.getAttribute('type')).toBe('password');
    await page.getByLabel('Show the password').check();
    expect(await field.getAttribute('type')).toBe('text');
    await expectAccessible(page);
    await screenshot(page, 'account-password');
  });

  it('changes the address, and has its mail sent again', async () => {
    const { person, page } = await openVisitor(stack, browser);
    const email = `new.${person.email}`;
    await page.getByRole('button', { name: 'Change the address' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the address' });
    await dialog.getByLabel('New e-mail address').fill(email);
    await expectAccessible(page);
    const height = page.viewportSize()?.height ?? 0;
    // It rises to its place.
    await expect
      .poll(async () => {
        const box = await dialog.boundingBox();
        const above = box?.y ?? 0;
        return Math.abs(above - (height - above - (box?.height ?? 0)));
      })
      .toBeLessThan(2);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await confirmByPassword(page, person.password);
    await expectAnnounced(page, `Your address is ${email} now.`);
    expect((await person.api.get('/users/@me')).json<CurrentUser>()).toMatchObject({
      email,
      verified: false,
    });
    await page.getByRole('button', { name: 'Send the mail again' }).click();
    await expectAnnounced(page, `The mail is on its way to ${email}.`);
  });

  it('deletes the account, once its name is typed and sudo mode confirms the user', async () => {
    const { person, page } = await openVisitor(stack, browser);
    await page.getByRole('button', { name: 'Delete the account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the account?' });
    await expectAccessible(page);
    await screenshot(page, 'account-delete');
    await dialog.getByLabel('Your user name').fill('somebody');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText(`Type ${person.username} to delete this account.`).waitFor();
    await dialog.getByLabel('Your user name').fill(person.username);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await confirmByPassword(page, person.password);
    await expectAnnounced(page, `The account ${person.username} is deleted`);
    expect((await person.api.get('/users/@me')).status).toBe(401);
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    await expectAccessible(page);
  });
}
