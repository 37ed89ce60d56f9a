import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { expect, it } from 'vitest';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { virtualAuthenticator } from '../virtual-authenticator.ts';
import { confirmByPassword, expectAnnounced, openAccount, openVisitor, signIn } from './visitor.ts';

export function passkeysOfAnAccount(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  it('adds a passkey, renames it, signs in and enters sudo mode with it, and deletes it', async () => {
    const { person, page, from } = await openVisitor(stack, browser);
    const key = await virtualAuthenticator(page);
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await confirmByPassword(page, person.password);
    await page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name').fill('Laptop');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    const codes = page.getByRole('dialog', { name: 'Keep your backup codes' });
    await codes.getByText('10 of 10 are left.').waitFor();
    await expectAccessible(page);
    await codes.getByRole('button', { name: 'Done' }).click();
    await expectAnnounced(page, 'The passkey “Laptop” is added.');
    expect(await key.passkeys()).toHaveLength(1);
    expect(await passkeys.getByRole('listitem').textContent()).toMatch(/Added just now, never used/);

    await passkeys.getByRole('button', { name: 'Rename Laptop' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename this passkey' });
    await rename.getByLabel('Name').fill('Work laptop');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await expectAnnounced(page, 'The passkey is called “Work laptop” now.');
    await expectAccessible(page);
    await screenshot(page, 'account-passkey');

    await page.getByRole('button', { name: 'Show the codes' }).click();
    await page.getByText('10 of 10 are left.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Make new ones' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make new ones' }).click();
    await page.getByText('10 of 10 are left.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await signIn(stack, page, person);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await passkeys.getByRole('button', { name: 'Delete Work laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Is it really you?' });
    await question.getByRole('button', { name: 'Use a code instead' }).click();
    await question.getByLabel('Code').waitFor();
    await question.getByRole('button', { name: 'Use a passkey instead' }).click();
    await expectAccessible(page);
    await screenshot(page, 'account-sudo-passkey');
    await question.getByRole('button', { name: 'Use a passkey', exact: true }).click();
    await expectAnnounced(page, 'The passkey “Work laptop” is deleted.');
    expect(await passkeys.getByRole('listitem').count()).toBe(0);
    const { email, password } = person;
    const login = await stack.api.from(from).post('/auth/login', { email, password });
    expect(login.json<{ token?: string }>().token, 'without a second factor').toBeDefined();
  });

  it('says that no passkey was created, and why there can be none at an IP address', async () => {
    const { person, page } = await openVisitor(stack, browser);
    const key = await virtualAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await confirmByPassword(page, person.password);
    const name = page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name');
    await name.fill('Laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expectAnnounced(page, 'is added.');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await name.fill('The same');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This device has a passkey for your account already.').waitFor();
    expect(await key.passkeys()).toHaveLength(1);

    const there = { ...stack, url: stack.url.replace('localhost', '127.0.0.1') };
    await openAccount(there, page, person);
    await page.getByText('Passkeys do not work at an IP address.').waitFor();
    const link = page.getByRole('link', { name: 'Open it on localhost' });
    expect(await link.getAttribute('href')).toBe(`${stack.url}/account`);
  });
}
