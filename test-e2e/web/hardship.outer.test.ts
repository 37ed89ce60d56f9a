import { setTimeout } from 'node:timers/promises';
import { startTcpProxy, type TcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, takeRole } from '../support/guilds.ts';
import type { Application, Webhook } from '../support/objects.ts';
import { createGuild, freshAddress, newcomer, type Person } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';
import { type CallbackServer, serveCallback } from './callback-server.ts';
import { expectFocus, expectSignedIn, submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

const MANAGE_WEBHOOKS = String(1n << 29n);
const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.';
/** Arabic within Latin, markup, and an emoji of several code points. */
const NAME = 'Ann <b>ليلى</b> 👩‍💻';
const AWAY_MS = 10_000;
/** A page tries again by itself after 2, 4, 8 seconds. */
const PATIENCE = { timeout: 20_000 };

describe.skipIf(chromiumIsMissing)('pages in bad conditions', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();
  let proxy: TcpProxy;
  let callback: CallbackServer;
  /** The stack, by a way that can be cut. */
  let url = '';
  beforeAll(async () => {
    [proxy, callback] = await Promise.all([startTcpProxy(), serveCallback()]);
    url = new URL(proxy.through(stack.url)).origin;
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    proxy.close();
    await callback.close();
  });

  /** A page whose requests fail for a while. */
  async function openAway(path: string): Promise<Page> {
    const page = await browser.page({ from: freshAddress(), expected: [/^request failed: /] });
    await page.goto(url + path);
    return page;
  }

  async function openAs(person: Person, path: string): Promise<Page> {
    const page = await openAway(path);
    await submitPassword(page, person);
    return page;
  }

  /** A page that reaches the server all the time. */
  async function openNear(person: Person, path: string): Promise<Page> {
    const page = await browser.page({ from: freshAddress() });
    await page.goto(stack.url + path);
    await submitPassword(page, person);
    return page;
  }

  /** A page on which something is ready to be submitted. */
  interface Step {
    readonly page: Page;
    /** The label of the button. */
    readonly submit: string;
    expectDone(): Promise<unknown>;
  }

  /** The button of a step, and the form with its errors. */
  function formOf({ page, submit }: Step): { form: Locator; button: Locator } {
    const button = page.getByRole('button', { name: submit, exact: true });
    return { form: page.locator('main, form').filter({ has: button }).last(), button };
  }

  const STEPS: Readonly<Record<string, () => Promise<Step>>> = {
    'signing in': async () => {
      const person = await newcomer(stack.api);
      const page = await openAway('/account');
      await page.getByLabel('E-mail address').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      return { page, submit: 'Sign in', expectDone: () => expectSignedIn(page, person) };
    },
    'a new account': async () => {
      const page = await openAway('/account');
      await page.getByRole('button', { name: 'Create an account' }).click();
      const username = `away_${Date.now()}`;
      await page.getByLabel('E-mail address').fill(`${username}@example.com`);
      await page.getByLabel('User name').fill(username);
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      return { page, submit: 'Create the account', expectDone: () => expectSignedIn(page, { username }) };
    },
    'a profile': async () => {
      const person = await newcomer(stack.api);
      const page = await openAs(person, '/account');
      const profile = page.getByRole('region', { name: 'Profile' });
      await profile.getByLabel('Display name').fill(NAME);
      await profile.getByLabel('About you').fill(NAME);
      const expectDone = async () => {
        await page.getByText('Your profile is saved.').waitFor();
        expect(await profile.getByLabel('About you').inputValue()).toBe(NAME);
      };
      return { page, submit: 'Save', expectDone };
    },
    'a webhook': async () => {
      const { owner, guild } = await createGuild(await newcomer(stack.api));
      const page = await openAs(owner, `/guilds/${guild.id}#webhooks`);
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByLabel('Name').fill('Alerts');
      const expectDone = async () => {
        await page.getByRole('heading', { name: 'Alerts', level: 2 }).waitFor();
        expect(await expectOk<Webhook[]>(owner.api.get(`/guilds/${guild.id}/webhooks`))).toHaveLength(1);
      };
      return { page, submit: 'Create', expectDone };
    },
    'a new application': async () => {
      const person = await newcomer(stack.api);
      const page = await openAs(person, '/developers#new');
      await page.getByLabel('Name', { exact: true }).fill('Clock');
      const expectDone = async () => {
        await page.getByRole('textbox', { name: 'Client secret' }).waitFor();
        const made = await expectOk<Application[]>(person.api.get('/oauth2/applications/@me'));
        expect(made.map(({ name }) => name)).toEqual(['Clock']);
      };
      return { page, submit: 'Create', expectDone };
    },
    'the settings of an application': async () => {
      const person = await newcomer(stack.api);
      const { id } = await newApplication(person);
      const page = await openAs(person, `/developers#${id}`);
      await page.getByLabel('Name', { exact: true }).fill('Clockwork');
      const expectDone = async () => {
        await page.getByText('Saved.').waitFor();
        const saved = await expectOk<Application>(person.api.get(`/oauth2/applications/${id}`));
        expect(saved.name).toBe('Clockwork');
      };
      return { page, submit: 'Save', expectDone };
    },
    consent: async () => {
      const { id } = await newApplication(await newcomer(stack.api));
      const query = { client_id: id, scope: 'identify', response_type: 'code', state: 's' };
      const search = new URLSearchParams({ ...query, redirect_uri: callback.redirect_uri });
      const page = await openAs(await newcomer(stack.api), `/oauth2/authorize?${search}`);
      await page.getByRole('heading', { name: 'Allow Clock?' }).waitFor();
      const expectDone = async () => expect((await callback.next()).get('state')).toBe('s');
      return { page, submit: 'Allow', expectDone };
    },
  };

  it('what was typed is kept while the server is away for ten seconds, and is done once when it is back', async () => {
    const steps = new Map<string, Step>();
    for (const [name, prepare] of Object.entries(STEPS)) steps.set(name, await prepare());
    const each = (act: (step: Step) => Promise<unknown>) =>
      Promise.all(
        [...steps].map(([name, step]) =>
          act(step).catch((cause: unknown) => {
            throw new Error(`${name}: ${cause instanceof Error ? cause.message : ''}`, { cause });
          }),
        ),
      );

    proxy.cut();
    const away = setTimeout(AWAY_MS);
    await each(async (step) => {
      const { form, button } = formOf(step);
      await button.click();
      await form.getByRole('alert').filter({ hasText: UNREACHABLE }).waitFor();
    });
    await away;
    proxy.restore();
    await each(async (step) => {
      await formOf(step).button.click();
      await step.expectDone();
    });
  });

  it('a view says that the server is away, and loads by itself when it is back', async () => {
    const person = await newcomer(stack.api);
    const { id } = await newApplication(person);
    const page = await openAs(person, '/developers');
    const link = page.getByRole('link', { name: 'Clock' });
    await link.waitFor();
    proxy.cut();
    const away = setTimeout(AWAY_MS);
    await link.click();
    await page.getByRole('alert').filter({ hasText: UNREACHABLE }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await away;
    proxy.restore();
    await page.getByRole('textbox', { name: 'Application ID' }).waitFor(PATIENCE);
    expect(await page.getByRole('textbox', { name: 'Application ID' }).inputValue()).toBe(id);
  });

  it('somebody who has lost a permission meanwhile gets the reason, and nothing happens', async () => {
    const fixture = await createGuild(await newcomer(stack.api));
    const member = await join(stack.api, fixture);
    const role = await createRole(fixture, { name: 'Webhooks', permissions: MANAGE_WEBHOOKS });
    await giveRole(fixture, member, role);
    const page = await openNear(member, `/guilds/${fixture.guild.id}#webhooks`);
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Name').fill('Alerts');
    await takeRole(fixture, member, role);
    await page.getByRole('button', { name: 'Create' }).click();
    // It replaces the tab, and the dialog with its alert.
    await page.getByRole('heading', { name: 'You may not manage this here' }).waitFor();
    expect(await expectOk<Webhook[]>(fixture.owner.api.get(`/guilds/${fixture.guild.id}/webhooks`))).toEqual(
      [],
    );
  });

  it('two tabs with two accounts each keep their own', async () => {
    const [first, second] = await Promise.all([newcomer(stack.api), newcomer(stack.api)]);
    const one = await browser.page({ from: freshAddress() });
    const other = await one.context().newPage();
    for (const [tab, person] of [
      [one, first],
      [other, second],
    ] as const) {
      await tab.goto(`${stack.url}/developers#new`);
      await tab.getByLabel('E-mail address').fill(person.email);
      await tab.getByLabel('Password').fill(person.password);
    }
    for (const [tab, person] of [
      [one, first],
      [other, second],
    ] as const) {
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expectSignedIn(tab, person);
    }
    await one.reload();
    await expectSignedIn(one, first);
    await one.getByLabel('Name', { exact: true }).fill('Clock');
    await one.getByRole('button', { name: 'Create' }).click();
    await one.getByRole('textbox', { name: 'Client secret' }).waitFor();
    const counts = [first, second].map(async ({ api }) => {
      return bodyOf<Application[]>(await api.get('/oauth2/applications/@me')).length;
    });
    expect(await Promise.all(counts)).toEqual([1, 0]);
  });

  it('the back button leads through every view of the portal, and shows no secret again', async () => {
    const person = await newcomer(stack.api);
    const page = await openNear(person, '/developers');
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Clock');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('textbox', { name: 'Client secret' }).waitFor();
    const secret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue();
    await page.goBack();
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    await page.goForward();
    await page.getByRole('textbox', { name: 'Application ID' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(secret);
  });

  it('the back button leads from each step of signing in to the first one, and then to the page before', async () => {
    const person = await newcomer(stack.api);
    const page = await browser.page({ from: freshAddress() });
    await page.goto(`${stack.url}/`);
    await page.goto(`${stack.url}/account`);
    await page.getByLabel('E-mail address').fill(person.email);
    for (const [button, title] of [
      ['Forgot your password?', 'Forgotten password'],
      ['Create an account', 'Create an account'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Sign in to Gatehouse', exact: true }).waitFor();
      await expectFocus(page, 'E-mail address');
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email);
    }
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expectSignedIn(page, person);
    await page.goBack();
    await page.waitForURL(`${stack.url}/`);
    await page.goForward();
    await expectSignedIn(page, person);
  });

  it('the back button leads through the views of a guild, and makes no webhook again', async () => {
    const { owner, guild } = await createGuild(await newcomer(stack.api));
    const page = await openNear(owner, '/guilds');
    await page.getByRole('link', { name: guild.name }).click();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Name').fill('Alerts');
    await page.getByRole('button', { name: 'Create' }).click();
    const details = page.getByRole('heading', { name: 'Alerts', level: 2 });
    await details.waitFor();
    await page.getByRole('link', { name: 'Members and roles' }).click();
    await page.getByLabel('Search by name').waitFor();
    await page.goBack();
    await details.waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Open: Alerts' }).and(page.locator(':focus')).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Guilds', level: 1 }).waitFor();
    await page.goForward();
    await page.goForward();
    await details.waitFor();
    await page.reload();
    await details.waitFor();
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There is no webhook yet.').waitFor();
    await page.goBack();
    await page.getByText('There is no webhook yet.').waitFor();
    expect(await expectOk<Webhook[]>(owner.api.get(`/guilds/${guild.id}/webhooks`))).toEqual([]);
  });

  async function newApplication({ api }: Person): Promise<Application> {
    const body = { name: 'Clock', redirect_uris: [callback.redirect_uri] };
    return bodyOf<Application>(await api.post('/oauth2/applications', body));
  }
});
