import { readFile } from 'node:fs/promises';
import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { expect, it } from 'vitest';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { confirmByPassword, openVisitor } from './visitor.ts';

export function dataExportOfAnAccount(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  it('requests the data of the account, waits for the file, and saves it', async () => {
    const { person, page } = await openVisitor(stack, browser);
    await person.api.post('/guilds', { name: 'Workshop' });
    const section = page.getByRole('region', { name: 'Your data' });
    await section.getByRole('button', { name: 'Request an export' }).click();
    await confirmByPassword(page, person.password);
    await section.getByText('The file is ready.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'account-export');
    const saved = page.waitForEvent('download');
    await section.getByRole('button', { name: /^Download/ }).click();
    const file = await readFile(await (await saved).path());
    expect(file.toString('latin1', 0, 4)).toBe('PK\x03\x04');
    expect(file.includes('guilds.json')).toBe(true);
    await section.getByText('You can request the next one on').waitFor();
    expect(await section.getByRole('button', { name: /^Request/ }).count()).toBe(0);
  });
}
