import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/accounts/languages.ts';
import { composeMessage } from '../../src/mail/compose-message.ts';
import { EMAIL_TEMPLATES, type Email } from '../../src/mail/email.ts';
import { renderEmail } from '../../src/mail/render-email.ts';
import { whoAsked } from '../../src/mail/who-asked.ts';
import { FIREFOX } from '../login/held.ts';

const BRANDING = {
  product_name: 'Gatehouse',
  logo_url: undefined,
  accent_color: '#3b5bdb',
  support_url: 'https://chat.example.com/support',
  legal_url: 'https://chat.example.com/legal',
};
const TIME_MS = Date.UTC(2026, 0, 31, 23, 59);
const TOKEN = 'T'.repeat(43);
const URL = `https://chat.example.com/verify#token=${TOKEN}`;
/** Control characters of direction: none of them may come from a value. */
const DIRECTION = /[\u200e\u200f\u202a-\u202e]/;

const template = EMAIL_TEMPLATES as readonly Email['template'][];
const values = async (more: Record<string, string> = {}) => ({
  username: 'ada',
  url: URL,
  token: TOKEN,
  email: 'n***@e***.com',
  factor: 'A passkey',
  ...(await whoAsked({ ip: '203.0.113.9', user_agent: FIREFOX }, TIME_MS)),
  ...more,
});
const hrefsOf = (html: string) => [...html.matchAll(/ href="(https?:[^"]*)"/g)].map(([, href = '']) => href);
const textOf = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&#x3D;', '=')
    .replaceAll('\u2060', '')
    .replace(/\s+/g, ' ');

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(template)('%s says the same in HTML and as text, with one link', async (name) => {
    const { subject, text, html } = await renderEmail(
      { template: name, values: await values(), language },
      BRANDING,
    );
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    expect(html).toContain(`<html lang="${language}" dir="${direction}"`);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).not.toMatch(/\{\{|<script|undefined|fonts\.googleapis/);
    const shown = textOf(html);
    for (const line of `${subject}\n${text}`.split('\n').filter((one) => one.length > 3)) {
      // HTML has the names of facts in cells, and the operator's links behind their words.
      const isSplit = /^[^:]+: /.test(line) || line === '-- ';
      if (!isSplit) expect(shown).toContain(line.replace(/[\u2068\u2069]/g, '').trim());
    }
    expect(text.split('\n')).toContain(URL);
    expect(text.split('\n')).toContain(TOKEN);
    expect(new Set(hrefsOf(html).map((href) => href.replaceAll('&#x3D;', '=')))).toEqual(
      new Set([URL, BRANDING.support_url, BRANDING.legal_url]),
    );
  });

  test('the words differ from those of the other languages', async () => {
    const email = { template: 'new-login', values: await values() } as const;
    const all = await Promise.all(LANGUAGES.map((one) => renderEmail({ ...email, language: one }, BRANDING)));
    expect(new Set(all.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
  });
});

test('values that users choose stay text, on one line and in their own direction', async () => {
  const hostile =
    '<script>alert(1)</script>\r\nBcc: all@example.com\u202e \u0627\u0644\u0639 www.evil.example';
  const email = {
    template: 'email-changed',
    values: await values({ username: hostile, client: hostile, browser: '', os: '', email: hostile }),
  } as const;
  for (const language of LANGUAGES) {
    const { text, html, subject } = await renderEmail({ ...email, language }, BRANDING);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('evil.example');
    expect(html).toContain('<bdi>&lt;script&gt;');
    expect(text).not.toMatch(/^Bcc:/m);
    expect(text + html).not.toMatch(DIRECTION);
    expect(text).toContain('\u2068<script>');
    expect(subject).not.toMatch(/[\r\n]/);
  }
});

test('a name is cut between characters that readers see', async () => {
  const family = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}';
  const { text } = await renderEmail(
    { template: 'new-login', values: await values({ username: family.repeat(100) }), language: 'en' },
    BRANDING,
  );
  expect(text).toMatch(new RegExp(`^Hello \u2068(?:${family})+\u2026\u2069,$`, 'mu'));
});

test.each([
  ['203.0.113.9', '203.0.*.*'],
  ['2001:db8:1:2::1', '2001:db8:*'],
  ['10.1.2.3', 'a private network'],
  ['172.31.0.1', 'a private network'],
  ['172.32.0.1', '172.32.*.*'],
  ['100.64.0.1', 'a private network'],
  ['127.0.0.1', 'a private network'],
  ['::1', 'a private network'],
  ['fd00::1', 'a private network'],
  ['fe80::1', 'a private network'],
  ['', 'unknown'],
])('the place of %s is %s', async (ip, place) => {
  expect((await whoAsked({ ip, user_agent: '' }, TIME_MS)).ip).toBe(place);
});

test('an email that an older version has queued is sent in English', async () => {
  const old = {
    username: 'ada',
    when: '2026-01-31 23:59 UTC',
    ip: '203.0.*.*',
    client: 'Firefox on Linux',
    url: '',
  };
  const { text } = await renderEmail({ template: 'new-login', values: old }, BRANDING);
  expect(text).toContain(
    'When: 31 January 2026 at 23:59:00 UTC\nAddress: 203.0.*.*\nDevice: Firefox on Linux\n',
  );
});

test('a subject that is not ASCII is encoded, and the link stays whole in the source', async () => {
  const rendered = await renderEmail(
    { template: 'verify-email', values: await values(), language: 'ar' },
    BRANDING,
  );
  const address = { id: '1', from: 'Gatehouse <no-reply@example.com>', to: 'ada@example.com' };
  const file = (await composeMessage({ ...address, eight_bit: true }, rendered)).bytes.toString();
  expect(file).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(file).toMatch(/^Content-Language: ar\r$/m);
  expect(file.split('\r\n')).toContain(URL);
  const sent = (await composeMessage({ ...address, eight_bit: false }, rendered)).bytes.toString();
  expect(sent).toMatch(/^[\t\r\n\x20-\x7e]*$/);
});
