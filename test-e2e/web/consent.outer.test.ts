import { createHash, randomBytes } from 'node:crypto';
import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import { LANGUAGES } from '@gatehouse/web/languages/languages';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Application, Member, Role } from '../support/objects.ts';
import { createGuild, freshAddress, newcomer, type Person } from '../support/people.ts';
import { png } from '../support/png.ts';
import { useAnyStack } from '../support/stack.ts';
import { type CallbackServer, serveCallback } from './callback-server.ts';
import { checkAppearance } from './check-appearance.ts';
import { expectFocus, expectSignedIn, focused, submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

const VIEW_CHANNEL = 1n << 10n;
const SEND_MESSAGES = 1n << 11n;
const BAN_MEMBERS = 1n << 2n;
const MANAGE_GUILD = 1n << 5n;
const ADMINISTRATOR = 1n << 3n;

describe.skipIf(chromiumIsMissing)('the consent page', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();
  let callback: CallbackServer;
  beforeAll(async () => {
    callback = await serveCallback();
  });
  afterAll(() => callback.close());

  const open = (options = {}) => browser.page({ from: freshAddress(), ...options });

  async function newApplication(owner: Person, members: object = {}): Promise<Application> {
    const body = { name: 'Clock', redirect_uris: [callback.redirect_uri], ...members };
    const reply = await owner.api.post('/oauth2/applications', body);
    expect(reply.status, reply.text).toBe(200);
    return reply.json<Application>();
  }

  /** An application's authorization link, to the route that redirects browsers to the page. */
  function link({ id }: { id: string }, parameters: Record<string, string> = {}): string {
    const query = {
      client_id: id,
      response_type: 'code',
      redirect_uri: callback.redirect_uri,
      ...parameters,
    };
    const given = Object.entries(query).filter(([, value]) => value !== '');
    return `${stack.url}/api/v1/oauth2/authorize?${new URLSearchParams(given)}`;
  }

  async function openSignedIn(page: Page, url: string, person: Person): Promise<void> {
    await page.goto(url);
    await submitPassword(page, person);
    await expectSignedIn(page, person);
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const allow = (page: Page) => button(page, 'Allow');
  const refuse = (page: Page) => button(page, 'Refuse');
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  /** The width of the loaded icon; 0 before. */
  function iconWidth(page: Page): Promise<number> {
    return page.evaluate<number>("document.querySelector('main img.avatar')?.naturalWidth ?? 0");
  }

  /** Counts the consents that the page sends from now on. */
  function countConsents(page: Page): () => number {
    let count = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/oauth2/authorize/consent')) count += 1;
    });
    return () => count;
  }

  it('leads from the application through sign-in to its callback, a token and the user', async () => {
    const maker = await newcomer(stack.api);
    const application = await newApplication(maker, {
      icon: `data:image/png;base64,${png(64, 30).toString('base64')}`,
      description: 'يعرض الوقت <b>in every channel</b>',
      terms_url: 'https://clock.example/terms',
    });
    const person = await newcomer(stack.api);
    const code_verifier = randomBytes(32).toString('base64url');
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
    const state = randomBytes(8).toString('hex');
    const page = await open();
    const scope = 'identify email guilds connections';
    await page.goto(link(application, { scope, state, code_challenge, code_challenge_method: 'S256' }));
    expect(new URL(page.url()).pathname).toBe('/oauth2/authorize');
    await heading(page, 'Sign in to continue to Clock').waitFor();
    await expect.poll(() => iconWidth(page)).toBe(64);
    await checkAppearance(page, 'consent-signed-out');
    await submitPassword(page, person);

    await heading(page, 'Allow Clock?').waitFor();
    const facts = page.getByRole('region', { name: 'The application' });
    await facts.getByText('يعرض الوقت <b>in every channel</b>').waitFor();
    await facts.getByText(`Made by ${maker.username}, just now`).waitFor();
    await expect.poll(() => iconWidth(page)).toBe(64);
    const terms = facts.getByRole('link', { name: 'Terms of service' });
    const attributes = ['href', 'target', 'rel'].map((name) => terms.getAttribute(name));
    expect(await Promise.all(attributes)).toEqual([
      'https://clock.example/terms',
      '_blank',
      'noopener noreferrer',
    ]);
    expect(await facts.getByRole('link').count()).toBe(1);
    await page.getByText(`Signed in as ${person.username} (${person.email})`).waitFor();
    const text = await page.getByRole('main').textContent();
    for (const words of ['See who you are', 'See your e-mail address', 'See which guilds', 'this computer'])
      expect(text).toContain(words);
    await checkAppearance(page, 'consent');
    await allow(page).click();

    const query = await callback.next();
    expect([query.get('own'), query.get('state')]).toEqual(['1', state]);
    const token = await fetch(`${stack.url}/api/v1/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: query.get('code') ?? '',
        redirect_uri: callback.redirect_uri,
        client_id: application.id,
        client_secret: application.client_secret,
        code_verifier,
      }),
    });
    const { access_token, scope: granted } = (await token.json()) as { access_token: string; scope: string };
    expect(granted).toBe('connections email guilds identify');
    const user = await stack.api.as(`Bearer ${access_token}`).get('/oauth2/userinfo');
    expect(user.json()).toMatchObject({ sub: person.user.id, email: person.email });
  });

  it('is in the language of the link, and shows a name of 100 characters of any script', async () => {
    const name = 'ساعة <script>alert(1)</script> 👩‍👩‍👧‍👦 Clock'.padEnd(100, 'x').slice(0, 100);
    const application = await newApplication(await newcomer(stack.api), { name });
    const page = await open();
    await page.goto(link(application, { scope: 'identify', ui_locales: 'tlh ar-EG de' }));
    await heading(page, `سجّل الدخول للمتابعة إلى ${name}`).waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
      'ar',
      'rtl',
    ]);
    await checkAppearance(page, 'consent-signed-out-long-name');
    const metadata = await fetch(`${stack.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ ui_locales_supported: LANGUAGES.map(({ tag }) => tag) });
  });

  it('reports a refusal to the application', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const page = await open();
    await openSignedIn(page, link(application, { scope: 'identify', state: 's' }), await newcomer(stack.api));
    await refuse(page).click();
    expect(Object.fromEntries(await callback.next())).toEqual({
      own: '1',
      error: 'access_denied',
      state: 's',
    });
  });

  it('offers nothing and redirects nowhere for an unregistered redirect URI', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const person = await newcomer(stack.api);
    const page = await open();
    const before = callback.count;
    const elsewhere = callback.redirect_uri.replace('own=1', 'own=2');
    await openSignedIn(page, link(application, { scope: 'identify', redirect_uri: elsewhere }), person);
    await heading(page, 'This link does not work').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('not registered');
    expect(await page.getByText('If you made this link').textContent()).toContain('redirect_uri');
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await checkAppearance(page, 'consent-broken');
    expect(callback.count).toBe(before);
  });

  it.each([
    ['an unknown application', { client_id: '4' }, 'does not exist'],
    ['an unknown scope', { scope: 'identify openid' }, 'does not know'],
    ['no redirect URI', { redirect_uri: '' }, 'go back to'],
    ['no scope', { scope: '' }, 'what the application wants'],
  ])('explains the problem with %s', async (_, parameters, words) => {
    const application = await newApplication(await newcomer(stack.api));
    const person = await newcomer(stack.api);
    const page = await open();
    await page.goto(`${stack.url}/account`);
    await submitPassword(page, person);
    await expectSignedIn(page, person);
    await page.goto(link(application, { scope: 'identify', ...parameters }));
    await heading(page, 'This link does not work').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain(words);
    expect(await allow(page).count()).toBe(0);
  });

  it('adds a bot to the chosen guild, with the permissions left ticked', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const person = await newcomer(stack.api);
    const { guild } = await createGuild(person, 'Garden');
    const permissions = String(VIEW_CHANNEL | SEND_MESSAGES | BAN_MEMBERS);
    const page = await open();
    await openSignedIn(page, link(application, { scope: 'bot', permissions, redirect_uri: '' }), person);
    await heading(page, 'Add Clock to a guild?').waitFor();
    await allow(page).click();
    await expectFocus(page, 'Guild');
    expect(await page.getByLabel('Guild').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Guild').selectOption('Garden');
    await page.getByLabel('Ban members').uncheck();
    await checkAppearance(page, 'consent-bot');
    await allow(page).click();

    await heading(page, 'Done').waitFor();
    expect(page.url()).toBe(`${stack.url}/`);
    await checkAppearance(page, 'home-bot-added');
    const member = await person.api.get(`/guilds/${guild.id}/members/${application.id}`);
    const { roles } = member.json<Member>();
    const all = (await person.api.get(`/guilds/${guild.id}/roles`)).json<Role[]>();
    expect(all.filter(({ id }) => roles.includes(id))).toMatchObject([
      { name: 'Clock', permissions: String(VIEW_CHANNEL | SEND_MESSAGES) },
    ]);

    await page.goto(link(application, { scope: 'bot', guild_id: guild.id, redirect_uri: '' }));
    await expect.poll(() => page.getByLabel('Guild').inputValue()).toBe(guild.id);
    await allow(page).click();
    await page.getByText('The bot is in this guild already.').waitFor();
    await expectFocus(page, 'Guild');
  });

  it('offers no permission that the user lacks, and no guild that they may not manage', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const owner = await newcomer(stack.api);
    const person = await newcomer(stack.api);
    const places = await Promise.all(['Managed', 'Joined'].map((name) => createGuild(owner, name)));
    for (const { guild, channel } of places) {
      const invite = await owner.api.post(`/channels/${channel.id}/invites`, {});
      await person.api.post(`/invites/${invite.json<{ code: string }>().code}`);
      if (guild.name !== 'Managed') continue;
      const body = { name: 'managers', permissions: String(MANAGE_GUILD) };
      const role = (await owner.api.post(`/guilds/${guild.id}/roles`, body)).json<Role>();
      await owner.api.send('PUT', `/guilds/${guild.id}/members/${person.user.id}/roles/${role.id}`);
    }
    const [managed, joined] = places;
    const permissions = String(ADMINISTRATOR | SEND_MESSAGES | BAN_MEMBERS);
    const wanted = { scope: 'bot', permissions, guild_id: managed?.guild.id ?? '', redirect_uri: '' };
    const page = await open();
    await openSignedIn(page, link(application, wanted), person);
    const options = page.getByLabel('Guild').locator('option');
    await expect.poll(() => options.allInnerTexts()).toEqual(['Choose a guild', 'Managed']);
    expect(await page.getByLabel('Administrator').isDisabled()).toBe(true);
    expect(await page.getByLabel('Ban members').isDisabled()).toBe(true);
    expect(await page.getByLabel('Send messages', { exact: true }).isChecked()).toBe(true);
    await checkAppearance(page, 'consent-bot-limited');
    await allow(page).click();
    await heading(page, 'Done').waitFor();
    const roles = (await owner.api.get(`/guilds/${managed?.guild.id}/roles`)).json<Role[]>();
    expect(roles.find(({ name }) => name === 'Clock')?.permissions).toBe(String(SEND_MESSAGES));

    const locked = { ...wanted, guild_id: joined?.guild.id ?? '', disable_guild_select: 'true' };
    await page.goto(link(application, locked));
    await page.getByText('where you may not add bots').waitFor();
    expect(await allow(page).count()).toBe(0);
  });

  it('adds a bot to a group conversation of the user', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const [person, one, other] = await Promise.all([1, 2, 3].map(() => newcomer(stack.api)));
    if (!person || !one || !other) throw new Error('there are three');
    const opened = await person.api.post('/users/@me/channels', { recipients: [one.user.id, other.user.id] });
    const channel_id = opened.json<{ id: string }>().id;
    const page = await open();
    await openSignedIn(page, link(application, { scope: 'bot', channel_id, redirect_uri: '' }), person);
    await heading(page, 'Add Clock to your group?').waitFor();
    expect(await page.getByRole('main').textContent()).toContain(one.username);
    await allow(page).click();
    await heading(page, 'Done').waitFor();
    const channel = (await person.api.get(`/channels/${channel_id}`)).json<{
      recipients: { id: string }[];
    }>();
    expect(channel.recipients.map(({ id }) => id)).toContain(application.id);
  });

  it('keeps the request when the user switches the account', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const [first, second] = [await newcomer(stack.api), await newcomer(stack.api)];
    const page = await open();
    await openSignedIn(page, link(application, { scope: 'identify', state: 'kept' }), first);
    const url = page.url();
    await button(page, 'Not you? Switch account').click();
    await expectFocus(page, 'E-mail address');
    await submitPassword(page, second);
    await heading(page, 'Allow Clock?').waitFor();
    expect(page.url()).toBe(url);
    await page.getByText(`(${second.email})`).waitFor();
    await allow(page).click();
    expect((await callback.next()).get('state')).toBe('kept');
    const listed = await second.api.get('/auth/sessions');
    expect(listed.status).toBe(200);
    expect((await first.api.get('/auth/sessions')).json<unknown[]>()).toHaveLength(1);
  });

  it('asks the current user after another tab has switched the account', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const [first, second] = [await newcomer(stack.api), await newcomer(stack.api)];
    const page = await open();
    await page.goto(link(application, { scope: 'identify' }));
    await page.getByLabel('Stay signed in on this device').check();
    await submitPassword(page, first);
    await page.getByText(`(${first.email})`).waitFor();
    await allow(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${stack.url}/account`);
    await expectSignedIn(other, first);
    await button(other, 'Sign out').click();
    await other.getByLabel('Stay signed in on this device').check();
    await submitPassword(other, second);
    await expectSignedIn(other, second);
    await page.getByText(`(${second.email})`).waitFor();
    const sent = page.waitForRequest('**/oauth2/authorize/consent');
    await allow(page).click();
    await callback.next();
    const { authorization } = await (await sent).allHeaders();
    expect((await stack.api.as(authorization ?? '').get('/users/@me')).json()).toMatchObject({
      id: second.user.id,
    });
  });

  it('asks for consent only once it shows whose consent it is', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const page = await open();
    await page.goto(link(application, { scope: 'identify' }));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/users/@me', async (route) => {
      await held;
      await route.continue();
    });
    const checked = ['/public', '/refuse'].map((end) =>
      page.waitForResponse((response) => response.url().endsWith(end)),
    );
    await submitPassword(page, await newcomer(stack.api));
    for (const response of await Promise.all(checked)) await response.finished();
    await heading(page, 'One moment').waitFor();
    expect(await allow(page).count()).toBe(0);
    release();
    await heading(page, 'Allow Clock?').waitFor();
    await allow(page).click();
    await callback.next();
  });

  it('can be used with only the keyboard', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const person = await newcomer(stack.api);
    const page = await open();
    await page.goto(link(application, { scope: 'identify' }));
    await page.getByLabel('E-mail address').waitFor();
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 20; presses += 1) {
        await page.keyboard.press('Tab');
        if ((await focused(page)) === name) return;
      }
      throw new Error(`Tab does not reach ${name}`);
    };
    await tabTo('E-mail address');
    await page.keyboard.type(person.email);
    await tabTo('Password');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Allow Clock?').waitFor();
    await tabTo('Allow');
    await page.keyboard.press('Enter');
    expect((await callback.next()).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('sends a consent once for repeated clicks, and asks again on the way back', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const page = await open();
    await openSignedIn(page, link(application, { scope: 'identify' }), await newcomer(stack.api));
    await heading(page, 'Allow Clock?').waitFor();
    const consents = countConsents(page);
    const button = "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Allow')";
    await page.evaluate(`{ const button = ${button}; for (let i = 0; i < 5; i += 1) button.click(); }`);
    await callback.next();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    expect(consents()).toBe(1);

    await page.goBack();
    await heading(page, 'Allow Clock?').waitFor();
    await allow(page).click();
    await callback.next();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    expect(consents()).toBe(2);
  });

  it('ignores a click meant for a window in front of it', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const page = await open();
    await page.clock.install();
    await openSignedIn(page, link(application, { scope: 'identify' }), await newcomer(stack.api));
    const consents = countConsents(page);
    const box = await allow(page).boundingBox();
    if (box === null) throw new Error('the button is not there');
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.clock.runFor(400);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: 2 });
    await page.clock.runFor(200);
    expect(consents()).toBe(0);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await callback.next();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    expect(consents()).toBe(1);
  });

  it('asks to sign in again if the session has ended meanwhile, and continues from there', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const person = await newcomer(stack.api);
    const page = await open();
    await openSignedIn(page, link(application, { scope: 'identify', state: 'still' }), person);
    await heading(page, 'Allow Clock?').waitFor();
    expect((await person.api.post('/auth/sessions/logout', { others: true })).status).toBe(204);
    await allow(page).click();
    await heading(page, 'Sign in to continue to Clock').waitFor();
    await submitPassword(page, person);
    await allow(page).click();
    expect((await callback.next()).get('state')).toBe('still');
  });

  it('offers a private bot to its owner only', async () => {
    const owner = await newcomer(stack.api);
    const application = await newApplication(owner, { bot_public: false });
    await createGuild(owner, 'Workshop');
    const url = link(application, { scope: 'bot', redirect_uri: '' });
    const page = await open();
    await openSignedIn(page, url, await newcomer(stack.api));
    await heading(page, 'This link does not work').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('private');
    await button(page, 'Sign out').click();
    await submitPassword(page, owner);
    await page.getByLabel('Guild').selectOption('Workshop');
    await allow(page).click();
    await heading(page, 'Done').waitFor();
  });

  it('is under 80 KB of script, compressed', async () => {
    const application = await newApplication(await newcomer(stack.api));
    const page = await open();
    expect((await scriptBytes(page, link(application, { scope: 'identify' }))).sent).toBeLessThan(80_000);
  });
});
