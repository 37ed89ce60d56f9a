import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Application } from '../support/objects.ts';
import { freshAddress, newcomer, type Person } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';
import { type CallbackServer, serveCallback } from './callback-server.ts';
import { expectSignedIn, submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

describe.skipIf(chromiumIsMissing)('another site', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();
  let site: CallbackServer; // at 127.0.0.1: to Chromium another site than localhost
  beforeAll(async () => {
    site = await serveCallback();
  });
  afterAll(() => site.close());

  async function signedIn(person: Person, expected: readonly RegExp[] = []): Promise<Page> {
    const page = await browser.page({ from: freshAddress(), expected });
    await page.goto(`${stack.url}/account`);
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    await expect.poll(async () => (await page.context().cookies()).length).toBe(1);
    return page;
  }

  async function newApplication(): Promise<Application> {
    const owner = await newcomer(stack.api);
    const body = { name: 'Clock', redirect_uris: [site.redirect_uri] };
    return (await owner.api.post('/oauth2/applications', body)).json<Application>();
  }

  function link({ id }: Application, scope: string, prompt?: string): string {
    const query = {
      client_id: id,
      scope,
      response_type: 'code',
      redirect_uri: site.redirect_uri,
      state: 's',
    };
    const all = new URLSearchParams({ ...query, ...(prompt !== undefined && { prompt }) });
    return `${stack.url}/api/v1/oauth2/authorize?${all}`;
  }

  /** Follows a link on a page of the other site, as a click does. */
  async function follow(page: Page, href: string): Promise<void> {
    await page.goto(new URL('/', site.redirect_uri).href);
    const loaded = page.waitForEvent('load');
    await page.evaluate(`const a = document.createElement('a');
      a.href = ${JSON.stringify(href)}; document.body.append(a); setTimeout(() => a.click());`);
    await loaded;
  }

  async function exchange({ id, client_secret }: Application, code: string): Promise<number> {
    const { redirect_uri } = site;
    const form = { grant_type: 'authorization_code', code, redirect_uri, client_id: id, client_secret };
    const answer = await fetch(`${stack.url}/api/v1/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form as Record<string, string>),
    });
    return answer.status;
  }

  it('gets a code with prompt=none from a browser whose user has allowed it before, and else an error', async () => {
    const application = await newApplication();
    const page = await signedIn(await newcomer(stack.api));
    await follow(page, link(application, 'identify', 'none'));
    expect(Object.fromEntries(await site.next())).toEqual({
      own: '1',
      error: 'consent_required',
      state: 's',
    });

    await follow(page, link(application, 'identify'));
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect(await exchange(application, (await site.next()).get('code') ?? '')).toBe(200);
    await page.waitForURL(`${site.redirect_uri.split('?')[0]}*`, { waitUntil: 'load' });

    await follow(page, link(application, 'identify', 'none'));
    const query = await site.next();
    expect(query.get('state')).toBe('s');
    expect(await exchange(application, query.get('code') ?? '')).toBe(200);
    await follow(page, link(application, 'identify email', 'none'));
    expect((await site.next()).get('error')).toBe('consent_required');

    await page.goto(`${stack.url}/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Gatehouse', exact: true }).waitFor();
    await follow(page, link(application, 'identify', 'none'));
    expect(Object.fromEntries(await site.next())).toEqual({ own: '1', error: 'login_required', state: 's' });
  });

  it('can do nothing with the cookie: neither by a form, a script nor a frame', async () => {
    const person = await newcomer(stack.api);
    const page = await signedIn(person, [/\/auth\/browser-session/]);
    const [cookie] = await page.context().cookies();
    await page.goto(new URL('/', site.redirect_uri).href);
    const route = `${stack.url}/api/v1/auth/browser-session`;
    const outcomes = await page.evaluate(`(async () => {
      const outcomes = [];
      for (const [path, method] of [['', 'POST'], ['', 'DELETE'], ['/resume', 'POST']])
        for (const [credentials, mode] of [['include', 'cors'], ['omit', 'cors'], ['include', 'no-cors']]) {
          if (mode === 'no-cors' && method === 'DELETE') continue;
          const url = ${JSON.stringify(route)} + path;
          outcomes.push(await fetch(url, { method, credentials, mode }).then(({ status }) => status, () => 'blocked'));
        }
      return outcomes;
    })()`);
    // With credentials the answer is withheld; without CORS it is opaque.
    expect(outcomes).toEqual(['blocked', 401, 0, 'blocked', 403, 'blocked', 401, 0]);
    const submitted = await page.context().newPage();
    await submitted.goto(new URL('/', site.redirect_uri).href);
    const answered = submitted.waitForResponse(`${route}/resume`);
    await submitted.evaluate(`const form = document.createElement('form');
      form.method = 'post'; form.action = ${JSON.stringify(`${route}/resume`)};
      document.body.append(form); form.submit();`);
    expect((await answered).status()).toBe(401);
    const framed = link(await newApplication(), 'identify', 'none');
    await page.evaluate(`const frame = document.createElement('iframe');
      frame.src = ${JSON.stringify(framed)}; document.body.append(frame);`);
    expect((await site.next()).get('error')).toBe('login_required');
    expect(await page.context().cookies()).toEqual([cookie]);
    await page.goto(`${stack.url}/account`);
    await expectSignedIn(page, person);
  });
});
