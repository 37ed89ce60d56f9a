import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from '../support/people.ts';

/**
 * Adds a passkey of the page's authenticator to an account without a second factor, and returns its backup codes. The
 * page must be of the stack's origin.
 */
export async function addPasskey(page: Page, { api, password }: Person): Promise<string[]> {
  const path = '/users/@me/mfa/webauthn/credentials';
  const options = await api.post(`${path}/registration-options`);
  const response = await page.evaluate(`navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${options.text}) })
    .then((passkey) => passkey.toJSON())`);
  const added = await api.post(path, { name: 'Laptop', response, password });
  expect(added.status, added.text).toBe(200);
  return added.json<{ backup_codes: { code: string }[] }>().backup_codes.map(({ code }) => code);
}
