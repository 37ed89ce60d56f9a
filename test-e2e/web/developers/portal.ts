import type { Browser, PageOptions } from '@gatehouse/dev-env/browser/browser';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from '../../support/api.ts';
import type { Application } from '../../support/objects.ts';
import { freshAddress, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { submitPassword } from '../sign-in-page.ts';

/** Whether this is the application's client secret. */
export async function isSecretOf(api: Api, client_id: string, client_secret: string): Promise<boolean> {
  const form = new URLSearchParams({ token: 'none', client_id, client_secret });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await api.post('/oauth2/introspect', form.toString(), headers)).status === 200;
}

/** The developer portal with a signed-in user. */
export interface Portal {
  readonly page: Page;
  readonly person: Person;
  /** Opens a view: `#ID`, `#ID/bot`. */
  go(hash: string): Promise<void>;
  /** Creates an application through the API and opens its view. */
  openApplication(tab?: string, changes?: object): Promise<Application>;
}

export async function openPortal(
  stack: TestStack,
  browser: Pick<Browser, 'page'>,
  options: PageOptions = {},
): Promise<Portal> {
  const person = await newcomer(stack.api);
  const page = await browser.page({ from: freshAddress(), ...options });
  await page.goto(`${stack.url}/developers`);
  await submitPassword(page, person);
  await page.getByRole('heading', { name: 'Applications' }).waitFor();

  const go = async (hash: string) => {
    await page.goto(`${stack.url}/developers${hash}`);
  };
  return {
    page,
    person,
    go,
    async openApplication(tab = '', changes = {}) {
      const request = { name: 'Clock', redirect_uris: ['https://clock.example/callback'], ...changes };
      const reply = await person.api.post('/oauth2/applications', request);
      expect(reply.status, reply.text).toBe(200);
      const application = reply.json<Application>();
      await go(`#${application.id}${tab}`);
      await page.getByRole('heading', { level: 1, name: application.name }).waitFor();
      return application;
    },
  };
}
