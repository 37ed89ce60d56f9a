import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import { describe, expect, test } from 'vitest';
import { OP } from '../gateway/support/codes.ts';
import { openConnection } from '../gateway/support/connection.ts';
import type { Application } from '../support/objects.ts';
import { png } from '../support/png.ts';
import { useAnyStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { checkAppearance } from './check-appearance.ts';
import { isSecretOf, openPortal } from './developers/portal.ts';
import { screenshot } from './screenshot.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

describe.skipIf(chromiumIsMissing)('the developer portal', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();
  const open = (options = {}) => openPortal(stack, browser, options);

  test('an application is created with only the keyboard; its secrets are shown once', async () => {
    const { page, person } = await open();
    await page.getByRole('link', { name: 'New application' }).press('Enter');
    const main = page.locator('#main');
    await expect.poll(() => main.evaluate('document.activeElement.id')).toBe('main');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Clock');
    await page.keyboard.press('Tab');
    await page.keyboard.type('https://clock.example/callback');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Keep these now' }).waitFor();
    expect(await page.locator(':focus').textContent()).toBe('Keep these now');
    const id = await page.getByLabel('Application ID', { exact: true }).inputValue();
    const client_secret = await page.getByLabel('Client secret', { exact: true }).inputValue();
    const bot_token = await page.getByLabel('Bot token', { exact: true }).inputValue();
    await expectAccessible(page);
    expect(await isSecretOf(stack.api, id, client_secret)).toBe(true);
    const asBot = await stack.api.as(`Bot ${bot_token}`).get('/applications/@me');
    expect(asBot.json()).toMatchObject({ id, redirect_uris: ['https://clock.example/callback'] });

    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const html = await page.content();
    const values = await page
      .locator('input')
      .evaluateAll((inputs) => inputs.map((each) => (each as unknown as { value: string }).value));
    for (const secret of [client_secret, bot_token]) expect([html, ...values].join()).not.toContain(secret);
    expect((await person.api.get('/oauth2/applications/@me')).json<Application[]>()).toHaveLength(1);
  });

  test('the secrets of a new application are gone after its view is left', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByLabel('Name').fill('Clock');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { name: 'Client secrets', exact: true }).waitFor();
    expect(await page.getByLabel('Bot token', { exact: true }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('link', { name: 'Clock' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await page.getByLabel('Bot token', { exact: true }).count()).toBe(0);
  });

  test('a public client has no secret, gets one, and loses it again', async () => {
    const { page, person } = await open();
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByLabel('Name').fill('Page');
    await page.getByRole('checkbox', { name: /^It is a public client/ }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The bot token cannot be shown again. Copy it').waitFor();
    expect(await page.getByLabel('Client secret', { exact: true }).count()).toBe(0);
    const id = await page.getByLabel('Application ID', { exact: true }).inputValue();
    const isPublic = async () =>
      (await person.api.get(`/oauth2/applications/${id}`)).json<{ public: boolean }>().public;
    expect(await isPublic()).toBe(true);

    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Make a client secret' }).click();
    await page.getByRole('button', { name: 'Make it', exact: true }).click();
    const secret = await page.getByLabel('New client secret', { exact: true }).inputValue();
    expect(await isSecretOf(stack.api, id, secret)).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make it a public client' }).click();
    await page.getByRole('button', { name: 'Delete the secret' }).click();
    await page.getByText('Your application is a public client').waitFor();
    expect(await isPublic()).toBe(true);
    expect(await isSecretOf(stack.api, id, secret)).toBe(false);
    expect(await page.content()).not.toContain(secret);
  });

  test('redirect URIs are checked while they are typed, and valid ones are saved', async () => {
    const { page, person, openApplication } = await open();
    const { id } = await openApplication();
    const first = page.getByLabel('Redirect URI 1', { exact: true });
    await first.fill('http://clock.example/callback');
    await page.getByText('http is for your own computer only').waitFor();
    expect(await first.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('Correct the marked fields first.').waitFor();
    await first.fill('http://localhost:3000/callback');
    await page.getByText('http is for your own computer only').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add a redirect URI' }).click();
    const second = page.getByLabel('Redirect URI 2', { exact: true });
    await expect.poll(() => second.evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.keyboard.type('http://localhost:3000/callback');
    await page.getByText('This one is in the list already.').waitFor();
    await screenshot(page, 'developers-redirect-uris');
    await second.fill('https://clock.example/other');
    await page.getByRole('checkbox', { name: 'Anyone may install the bot' }).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const saved = await person.api.get(`/oauth2/applications/${id}`);
    expect(saved.json()).toMatchObject({
      redirect_uris: ['http://localhost:3000/callback', 'https://clock.example/other'],
      bot_public: false,
      bot_require_code_grant: false,
    });
  });

  test('no more than ten redirect URIs can be added', async () => {
    const { page, openApplication } = await open();
    const redirect_uris = Array.from({ length: 9 }, (_, index) => `https://clock.example/${index}`);
    await openApplication('', { redirect_uris });
    const add = page.getByRole('button', { name: 'Add a redirect URI' });
    await add.click();
    await page.getByLabel('Redirect URI 10', { exact: true }).waitFor();
    expect(await add.getAttribute('aria-disabled')).toBe('true');
    await add.click({ force: true });
    expect(await page.getByLabel('Redirect URI 11', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove redirect URI 10' }).press('Enter');
    await expect.poll(() => add.evaluate((button) => button.matches(':focus'))).toBe(true);
    expect(await add.getAttribute('aria-disabled')).toBe('false');
  });

  test('the client secret is reset after confirmation', async () => {
    const { page, openApplication } = await open();
    const { id, client_secret } = await openApplication();
    const works = (secret: string) => isSecretOf(stack.api, id, secret);
    const reset = page.getByRole('button', { name: 'Reset the client secret' });
    await reset.click();
    await page.getByRole('dialog').getByText('stops working at once').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await works(client_secret)).toBe(true);
    await expect.poll(() => reset.evaluate((button) => button.matches(':focus'))).toBe(true);

    await reset.click();
    await page.getByRole('button', { name: 'Reset it' }).click();
    const made = await page.getByLabel('New client secret', { exact: true }).inputValue();
    expect([await works(client_secret), await works(made)]).toEqual([false, true]);
    await page.getByRole('link', { name: 'Bot', exact: true }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await reset.waitFor();
    expect(await page.getByLabel('New client secret', { exact: true }).count()).toBe(0);
  });

  test('a client secret is exchanged without a gap', async () => {
    const { page, person, openApplication } = await open();
    const { id, client_secret = '' } = await openApplication();
    const secrets = page.getByRole('list', { name: 'Client secrets' });
    await secrets.getByText(client_secret.slice(-4)).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Add a second secret' }).click();
    const made = await page.getByLabel('New client secret', { exact: true }).inputValue();
    expect([await isSecretOf(stack.api, id, client_secret), await isSecretOf(stack.api, id, made)]).toEqual([
      true,
      true,
    ]);
    await page.getByRole('button', { name: 'Download the .env file' }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    expect(parseEnv(file)).toEqual({
      GATEHOUSE_BASE_URL: new URL(page.url()).origin,
      GATEHOUSE_CLIENT_ID: id,
      GATEHOUSE_CLIENT_SECRET: made,
      GATEHOUSE_REDIRECT_URI: 'https://clock.example/callback',
    });
    await expectAccessible(page);
    await screenshot(page, 'developers-two-secrets');

    await page.getByRole('button', { name: `Delete …${client_secret.slice(-4)}` }).click();
    await page.getByRole('button', { name: 'Delete it', exact: true }).click();
    await page.getByRole('button', { name: 'Add a second secret' }).waitFor();
    expect([await isSecretOf(stack.api, id, client_secret), await isSecretOf(stack.api, id, made)]).toEqual([
      false,
      true,
    ]);
    expect(await page.content()).not.toContain(made);
    expect((await person.api.get(`/oauth2/applications/${id}/secrets`)).json()).toHaveLength(1);
  });

  test('an application tells about itself, and the name of a stranger’s making stays text', async () => {
    const { page, person, openApplication } = await open();
    const name = 'ساعة <script>alert(1)</script> 👩‍👩‍👧‍👦 Clock'.padEnd(100, 'x').slice(0, 100);
    const { id } = await openApplication('', { name });
    await page.getByText('First steps: 2 of 5 done').waitFor();
    await page.getByLabel('Icon', { exact: true }).setInputFiles({
      name: 'icon.png',
      mimeType: 'image/png',
      buffer: png(64, 30),
    });
    await page.getByRole('img', { name: 'The application' }).waitFor();
    await page.getByLabel('Description').fill('<b>يعرض الوقت</b> in every channel');
    await page.getByLabel('Terms of service').fill('javascript:alert(1)');
    await page.getByText('Start with https://.').waitFor();
    await page.getByLabel('Terms of service').fill('https://clock.example/terms');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect((await person.api.get(`/oauth2/applications/${id}`)).json()).toMatchObject({
      icon: expect.stringMatching(/^[0-9a-f]{32}$/),
      description: '<b>يعرض الوقت</b> in every channel',
      terms_url: 'https://clock.example/terms',
      privacy_url: null,
    });
    await expectAccessible(page);
    for (const width of [390, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await screenshot(page, `developers-settings-${width}`);
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
      expect(overflow).toBe(0);
    }
  });

  test('text that was not saved stays within the page, and the browser asks before it is lost', async () => {
    const { page, openApplication } = await open();
    await openApplication();
    await page.getByLabel('Name', { exact: true }).fill('Bell');
    await page.getByRole('link', { name: 'Settings not saved' }).waitFor();
    await page.getByRole('link', { name: 'All applications' }).click();
    await page.getByText('Changes not saved').waitFor();
    await page.goBack();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Bell');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Clock');
  });

  test('the bot gets a name and a picture, and its token is reset under sudo', async () => {
    const { page, person, openApplication } = await open();
    const { id, bot } = await openApplication('/bot');
    const name = `b_${id}`;
    await page.getByLabel('Name of the bot').fill(name);
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByText('Saved.').waitFor();
    const picture = page.getByLabel('Picture', { exact: true });
    await picture.setInputFiles({ name: 'bot.png', mimeType: 'image/png', buffer: png(64, 90) });
    const shown = page.getByRole('img', { name: 'The bot' });
    await shown.waitFor();
    await expect
      .poll(() => shown.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(64);
    await expectAccessible(page);
    await screenshot(page, 'developers-bot');
    const { avatar, username } = (await person.api.get(`/users/${id}`)).json<{
      avatar: string;
      username: string;
    }>();
    expect(username).toBe(name);
    expect(await shown.getAttribute('src')).toBe(`/media/avatars/${id}/${avatar}`);
    await picture.setInputFiles({
      name: 'bot.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    });
    await page.locator('.picture [role=alert] p').waitFor();
    await page.getByRole('button', { name: 'Remove the picture' }).click();
    await page.getByText('No picture').waitFor();

    await page.getByRole('button', { name: 'Reset the bot token' }).click();
    await page.getByRole('button', { name: 'Reset it' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it really you?' });
    await proof.getByLabel('Password').fill('wrong');
    await proof.getByRole('button', { name: 'Continue' }).click();
    await proof.getByText('The password is wrong.').waitFor();
    await proof.getByLabel('Password').fill(person.password);
    await proof.getByRole('button', { name: 'Continue' }).click();
    const made = await page.getByLabel('New bot token', { exact: true }).inputValue();
    const statusAs = async (token: string) => (await stack.api.as(`Bot ${token}`).get('/users/@me')).status;
    expect([await statusAs(bot.token), await statusAs(made)]).toEqual([401, 200]);
  });

  test('usage has the requests and errors of the application, and the bot is online while it is connected', async () => {
    const { page, openApplication } = await open();
    const { id, bot } = await openApplication('/usage');
    await page.getByText('There was no request in the last 7 days.').waitFor();
    await expectAccessible(page);
    const headers = { 'x-request-id': `of-${id}` };
    const asBot = stack.api.as(`Bot ${bot.token}`);
    await asBot.get('/users/@me');
    await asBot.get('/oauth2/applications/@me', headers);
    const lookUntil = async (text: string) => {
      await expect
        .poll(
          async () => {
            await page.getByRole('button', { name: 'Look again' }).click();
            return page.getByText(text).count();
          },
          { timeout: 20_000, interval: 500 },
        )
        .toBeGreaterThan(0);
    };
    await lookUntil(`of-${id}`);
    await page.getByLabel('Period').selectOption('Last 7 days');
    const requests = page.getByRole('region', { name: 'Requests by bucket' });
    expect(await requests.getByRole('row').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^oauth_dev:clients:list\s+1\s+0$/),
    );
    const failed = page.getByRole('row', { name: `of-${id}` });
    expect(await failed.textContent()).toMatch(/GET \/oauth2\/applications\/@me\s*403 ACCESS_DENIED/);
    await failed.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await checkAppearance(page, 'developers-usage-filled');

    await page.getByRole('link', { name: 'Bot', exact: true }).click();
    await page.getByText('Offline: no program is connected').waitFor();
    const connection = await openConnection(`${stack.url.replace(/^http/, 'ws')}/gateway?v=1&encoding=json`);
    connection.send({ op: OP.IDENTIFY, d: { token: bot.token } });
    await connection.frame(OP.DISPATCH);
    await lookUntil('Online: a program is connected');
    await connection.close();
    await lookUntil('Offline: no program is connected');
  });

  test('the authorization URL follows the selection, and opens consent', async () => {
    const { page, openApplication } = await open();
    const { id } = await openApplication('/link');
    const url = page.getByLabel('The URL', { exact: true });
    const parameters = async () => Object.fromEntries(new URL(await url.inputValue()).searchParams);
    expect(await parameters()).toEqual({
      client_id: id,
      response_type: 'code',
      scope: 'identify',
      redirect_uri: 'https://clock.example/callback',
    });
    await page.getByRole('checkbox', { name: /^bot / }).check();
    await page.getByRole('checkbox', { name: 'Send messages', exact: true }).check();
    await page.getByRole('checkbox', { name: 'See who is in a channel' }).check();
    await page.getByLabel('State').fill('a b&c');
    await page.getByRole('button', { name: 'Make a challenge to try' }).click();
    await page.getByRole('textbox', { name: 'Its verifier' }).waitFor();
    await page.getByLabel('ID of the guild').fill('x');
    await page.getByText('An ID has only digits').first().waitFor();
    await page.getByLabel('ID of the guild').fill('');
    expect(await parameters()).toMatchObject({
      scope: 'identify bot',
      state: 'a b&c',
      code_challenge_method: 'S256',
      permissions: (2n ** 54n + 2n ** 11n).toString(),
    });
    await expectAccessible(page);
    await screenshot(page, 'developers-link');
    const [consent] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open it in a new tab' }).click(),
    ]);
    await consent.waitForURL('**/oauth2/authorize?*');
    await consent.getByRole('heading', { name: 'Allow Clock?' }).waitFor();
    expect(new URL(consent.url()).searchParams.get('state')).toBe('a b&c');
  });

  test('the authorization URL of a public client has a challenge', async () => {
    const { page, openApplication } = await open();
    await openApplication('/link', { public: true });
    const url = page.getByLabel('The URL', { exact: true });
    await page.getByText('A public client needs a PKCE challenge').waitFor();
    expect(await url.count()).toBe(0);
    await page.getByRole('button', { name: 'Make a challenge to try' }).click();
    expect(await url.inputValue()).toContain('code_challenge_method=S256');
  });

  test('input on a tab survives a switch to another, and is cleared once saved', async () => {
    const { page, openApplication } = await open();
    const { id } = await openApplication('');
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Application' }).getByRole('link', { name }).click();
    await page.getByLabel('Name', { exact: true }).fill('Watch');
    await tab('Bot');
    await page.getByLabel('Name of the bot').fill('half.typed');
    await tab('Authorization URL');
    await page.getByLabel('State').fill('mine');
    await tab('Settings');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Watch');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await tab('Bot');
    expect(await page.getByLabel('Name of the bot').inputValue()).toBe('half.typed');
    await tab('Authorization URL');
    expect(await page.getByLabel('State').inputValue()).toBe('mine');
    await page.goto('about:blank');
    await page.goto(`${stack.url}/developers#${id}/bot`);
    await page.getByLabel('Name of the bot').waitFor();
    expect(await page.getByLabel('Name of the bot').inputValue()).not.toBe('half.typed');
  });

  test('without a secure context copying works, and the page explains why there is no challenge', async () => {
    const { page, openApplication } = await open();
    await page.addInitScript(`
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
      Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });`);
    await page.reload();
    const { id } = await openApplication('/link');
    await page.getByRole('button', { name: 'Make a challenge to try' }).click();
    await page.getByRole('alert').getByText('open this one with https, or on localhost').waitFor();
    await page.getByRole('button', { name: 'Copy: The URL' }).click();
    await page.getByText('Copied').waitFor();
    await page.getByLabel('State').press('Control+V');
    expect(await page.getByLabel('State').inputValue()).toContain(`client_id=${id}`);
  });

  test('only scopes other than bot need a redirect URI', async () => {
    const { page, openApplication } = await open();
    await openApplication('/link', { redirect_uris: [] });
    await page.getByText('A redirect URI is required').waitFor();
    await page.getByRole('checkbox', { name: /^bot / }).check();
    await page.getByRole('checkbox', { name: /^identify / }).uncheck();
    await page.getByText('A redirect URI is required').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: /^bot / }).uncheck();
    await page.getByText('Choose at least one scope.').waitFor();
  });

  test('an application is deleted once its name is typed', async () => {
    const { page, person, openApplication } = await open();
    await openApplication();
    await page.getByRole('button', { name: 'Delete the application' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('alert').getByText('Type “Clock” to delete it.').waitFor();
    expect((await person.api.get('/oauth2/applications/@me')).json()).toHaveLength(1);
    await page.getByLabel('Type “Clock” to delete it').fill('Clock');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Applications', exact: true }).waitFor();
    expect((await person.api.get('/oauth2/applications/@me')).json()).toEqual([]);
  });

  test('an unknown ID and another user’s ID are both unknown', async () => {
    const [mine, theirs] = [await open(), await open()];
    const { id } = await theirs.openApplication();
    for (const hash of [`#${id}`, '#42', '#9999999999999999999', '#nothing']) {
      await mine.go(hash);
      await mine.page.getByText('You have no application with this ID.').waitFor();
      await mine.page.getByRole('link', { name: 'All applications' }).click();
      await mine.page.getByText('An application signs people in').waitFor();
    }
    await expectAccessible(mine.page);
  });

  test('the skip link keeps the view', async () => {
    const { page, openApplication } = await open();
    const { id } = await openApplication('/bot');
    await page.reload();
    await page.getByRole('heading', { name: 'Bot token' }).waitFor();
    await page.locator('.skip').press('Enter');
    await expect
      .poll(() => page.evaluate('location.hash + document.activeElement.id'))
      .toBe(`#${id}/botmain`);
    await page.getByRole('heading', { name: 'Bot token' }).waitFor();
  });

  test('the list says that 25 applications are the maximum', async () => {
    const { page, person } = await open();
    // The API creates ten per hour; the portal gets a stubbed full list.
    const made = (await person.api.post('/oauth2/applications', { name: 'Clock' })).json<Application>();
    const full = Array.from({ length: 25 }, (_, index) => ({
      ...made,
      id: String(index),
      name: `Clock ${index}`,
    }));
    await page.route('**/oauth2/applications/@me', (route) => route.fulfill({ json: full }));
    await page.reload();
    await page.getByText('You have 25 applications, the most there can be.').waitFor();
    expect(await page.getByRole('link', { name: 'New application' }).count()).toBe(0);
  });

  test('too many new applications in an hour are refused with a message', async () => {
    const { page, person } = await open();
    for (let count = 0; count < 10; count++)
      await person.api.post('/oauth2/applications', { name: `Clock ${count}` });
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByLabel('Name').fill('One more');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^Too many attempts\. Wait \d+ minutes/).waitFor();
  });

  test('every view is accessible, and fits a phone and a desk, in light and in dark', async () => {
    const { page, go, openApplication } = await open();
    const { id } = await openApplication();
    const views = {
      list: '#all',
      new: '#new',
      settings: `#${id}`,
      bot: `#${id}/bot`,
      link: `#${id}/link`,
      try: `#${id}/try`,
      usage: `#${id}/usage`,
    };
    for (const [name, hash] of Object.entries(views)) {
      await go(hash);
      await expect.poll(() => page.locator('main .loading').count()).toBe(0);
      await page.locator('.card').first().waitFor();
      await checkAppearance(page, `developers-${name}`);
    }
  });

  test('its scripts stay under 80 KB compressed', async () => {
    const page = await browser.page();
    expect((await scriptBytes(page, `${stack.url}/developers`)).sent).toBeLessThan(80_000);
    expect((await scriptBytes(await browser.page(), `${stack.url}/developers/try`)).sent).toBeLessThan(
      80_000,
    );
  });
});
