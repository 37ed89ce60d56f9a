import { readFile } from 'node:fs/promises';
import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { totp } from '@gatehouse/dev-env/second-factors/totp';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { expect, it } from 'vitest';
import type { CurrentUser } from '../../support/objects.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { confirmByCode, confirmByPassword, expectAnnounced, openVisitor, signIn } from './visitor.ts';

/** The unused codes in a dialog. */
async function codesShown(page: Page, dialog: string): Promise<string[]> {
  const shown = page.getByRole('dialog', { name: dialog });
  await shown.waitFor();
  return shown.locator('code:not(:has(del))').allTextContents();
}

/** The dark squares of the QR code, as an app reads them. */
function qrCodeOf(secret: string, email: string): boolean[][] {
  const label = `Gatehouse:${encodeURIComponent(email)}`;
  return encode(`otpauth://totp/${label}?secret=${secret}&issuer=Gatehouse`, { ecc: 'M', border: 4 }).data;
}

/** The squares covered by a path of rectangles. */
function squaresOf(path: string): boolean[][] {
  const rectangles = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map((found) =>
    found.slice(1).map(Number),
  );
  expect(rectangles.map(([x, y, width]) => `M${x} ${y}h${width}v1h-${width}z`).join('')).toBe(path);
  const size = Math.max(...rectangles.map(([, y = 0]) => y)) + 5; // a border of 4
  const rows = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [x = 0, y = 0, width = 0] of rectangles) rows[y]?.fill(true, x, x + width);
  return rows;
}

export function secondFactorByApp(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  it('sets up an authenticator app, keeps its backup codes, and signs in with it', async () => {
    const { person, page } = await openVisitor(stack, browser, { viewport: { width: 320, height: 700 } });
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await expectAccessible(page);
    await screenshot(page, 'account-sudo-password');
    await confirmByPassword(page, 'wrong password');
    await page.getByText('The password is wrong.').waitFor();
    await confirmByPassword(page, person.password);

    const setUp = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    const code_picture = setUp.getByRole('img', { name: 'QR code for the authenticator app' });
    const painted = (await code_picture.locator('path').getAttribute('d')) ?? '';
    const secret = ((await setUp.locator('code').textContent()) ?? '').replaceAll(' ', '');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(squaresOf(painted)).toEqual(qrCodeOf(secret, person.email));
    await expectAccessible(page);
    await screenshot(page, 'account-set-up-app');
    const code = setUp.getByLabel('Code that the app shows now');
    await code.fill('000000');
    await setUp.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('The code is wrong, or was used already.').waitFor();
    await code.fill(totp(secret));
    await setUp.getByRole('button', { name: 'Turn on' }).click();

    const codes = await codesShown(page, 'Keep your backup codes');
    expect(codes).toHaveLength(10);
    await expectAccessible(page);
    await screenshot(page, 'account-backup-codes');
    const downloaded = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const file = await readFile(await (await downloaded).path(), 'utf8');
    for (const each of codes) expect(file).toContain(`\n${each}\n`);
    await page.getByRole('button', { name: 'Done' }).click();
    await expectAnnounced(page, 'The authenticator app is on.');
    expect((await person.api.get('/users/@me')).json<CurrentUser>().authenticator_types).toEqual(['totp']);

    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await signIn(stack, page, person);
    await page.getByLabel('Code from your authenticator app').fill(totp(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'You', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Show the codes' }).click();
    await expectAccessible(page);
    await confirmByCode(page, codes[0] ?? '');
    expect(await codesShown(page, 'Your backup codes')).toEqual(codes.slice(1));
    await page.getByText('9 of 10 are left.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Make new ones' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make new ones' }).click();
    const fresh = await codesShown(page, 'Your backup codes');
    expect(fresh.filter((each) => codes.includes(each))).toEqual([]);
    expect(fresh).toHaveLength(10);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Turn off' }).click();
    const question = page.getByRole('dialog', { name: 'Turn off the authenticator app?' });
    await question.getByLabel('Code').fill(fresh[0] ?? '');
    await question.getByRole('button', { name: 'Turn off' }).click();
    await expectAnnounced(page, 'The authenticator app is off.');
    expect(await page.getByRole('heading', { name: 'Backup codes' }).count()).toBe(0);
  });

  it('does nothing when the sudo mode dialog is closed', async () => {
    const { page } = await openVisitor(stack, browser);
    const button = page.getByRole('button', { name: 'Set up an app' });
    await button.click();
    await page.getByRole('dialog', { name: 'Is it really you?' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => button.and(page.locator(':focus')).count()).toBe(1);
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  });
}
