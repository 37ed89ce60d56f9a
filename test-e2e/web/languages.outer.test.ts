import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import type { Application, Guild } from '../support/objects.ts';
import { freshAddress, newcomer, newWebhook, type Person } from '../support/people.ts';
import { PROXIED, useAnyStack, useStackInProcess } from '../support/stack.ts';
import { BRANDING, brandedPages } from './languages/branded-pages.ts';
import { expectEnglish, expectLanguage, expectTimes } from './languages/expect-language.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

const PHONE = { width: 390, height: 844 };
const CALLBACK = 'https://clock.example/callback';
const LANGUAGES = [
  { tag: 'de', accepted: 'de-AT' },
  { tag: 'ar', accepted: 'ar-EG' },
] as const;

describe.skipIf(chromiumIsMissing)('pages in other languages', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();
  let owner: Person;
  let guild: Guild;
  let application: Application;
  beforeAll(async () => {
    ({ owner, guild } = await newWebhook(stack.api));
    const body = { name: 'Clock', redirect_uris: [CALLBACK] };
    application = await expectOk<Application>(owner.api.post('/oauth2/applications', body));
  });

  const open = (locale: string) => browser.page({ from: freshAddress(), locale, viewport: PHONE });

  function consent(parameters: Readonly<Record<string, string>> = {}): string {
    const query = {
      client_id: application.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'identify',
    };
    return `/oauth2/authorize?${new URLSearchParams({ ...query, ...parameters })}`;
  }

  async function speak({ api }: Person, locale: string): Promise<void> {
    await expectOk(api.send('PATCH', '/users/@me', { body: { locale } }));
  }

  async function openSignedIn(locale: string, { token, user }: Person): Promise<Page> {
    const page = await open(locale);
    const session = JSON.stringify(JSON.stringify({ token, user_id: user.id }));
    await page.addInitScript(`try { sessionStorage.setItem('gatehouse.session', ${session}) } catch {}`);
    return page;
  }

  describe.each(LANGUAGES)('$tag', ({ tag, accepted }) => {
    it('is the language of a browser that prefers it', async () => {
      const page = await open(accepted);
      for (const path of ['/', '/account', consent()]) {
        await page.goto(stack.url + path);
        await expectLanguage(page, tag);
      }
    });

    it('is the language of its account, whatever the browser prefers', async () => {
      const person = await newcomer(stack.api);
      await speak(person, tag);
      const page = await openSignedIn('en', person);
      await page.goto(`${stack.url}/account`);
      await expectLanguage(page, tag);
      await expectTimes(page);
      await page.goto(stack.url + consent());
      await expectLanguage(page, tag);
    });

    it('is the language of a guild’s pages, with its times', async () => {
      await speak(owner, tag);
      const page = await openSignedIn('en', owner);
      await page.goto(`${stack.url}/guilds/${guild.id}#webhooks`);
      await expectLanguage(page, tag);
      await page.goto(`${stack.url}/guilds/${guild.id}#audit-log`);
      await page.locator('main time').first().waitFor();
      await expectLanguage(page, tag);
      await expectTimes(page);
    });

    it('is not the language of pages that are in English only', async () => {
      const person = await newcomer(stack.api);
      await speak(person, tag);
      const page = await openSignedIn(accepted, person);
      await page.goto(`${stack.url}/account`);
      await expectLanguage(page, tag);
      for (const path of ['/docs', '/docs/errors']) {
        await page.goto(stack.url + path);
        await page.waitForLoadState('networkidle');
        await expectEnglish(page);
      }
    });

    it('is the language of consent if the link names it, before that of account and browser', async () => {
      const person = await newcomer(stack.api);
      const other = tag === 'de' ? 'ar' : 'de';
      await speak(person, other);
      const page = await openSignedIn(other, person);
      await page.goto(stack.url + consent({ ui_locales: `fr ${accepted}` }));
      await expectLanguage(page, tag);
      await page.goto(`${stack.url}/account`);
      await expectLanguage(page, other);
    });
  });
});

describe.skipIf(chromiumIsMissing)('branded pages and mails', () => {
  const stack = useStackInProcess({ ...PROXIED, ...BRANDING });
  brandedPages(stack, useBrowser());
});
