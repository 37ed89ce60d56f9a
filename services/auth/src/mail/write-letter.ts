import type { Branding } from '@gatehouse/kit/process/branding';
import type { I18n } from '@lingui/core';
import type { EmailContent } from './email.ts';
import { isolate } from './isolate.ts';
import type { MailLanguage } from './language.ts';
import type { Fact, Letter } from './letter.ts';
import { WORDS } from './letters.ts';
import { PRIVATE_NETWORK, UNKNOWN } from './who-asked.ts';

/** Writes an email in a language. */
export function writeLetter(
  { template, values }: Pick<EmailContent, 'template' | 'values'>,
  language: MailLanguage,
  branding: Branding,
): Letter {
  const { i18n } = language;
  const { url = '', token, username = '' } = values;
  const { facts_intro = i18n._('Who did it:'), button, ...words } = WORDS[template](i18n, values);
  const product = isolate(branding.product_name);
  return {
    ...words,
    greeting: i18n._('Hello {username},', { username: isolate(username) }),
    button: { label: button, url },
    link_intro: i18n._('Open this link:'),
    ...(token !== undefined && { code: { intro: i18n._('Or enter this code:'), code: token } }),
    ...(values.client !== undefined && { facts: { intro: facts_intro, rows: factsOf(values, language) } }),
    reason: i18n._('{product} sent this mail because of the account {username}.', {
      product,
      username: isolate(username),
    }),
    links: [
      ...(branding.support_url === undefined
        ? []
        : [{ label: i18n._('Support'), url: branding.support_url }]),
      ...(branding.legal_url === undefined
        ? []
        : [{ label: i18n._('Legal notice'), url: branding.legal_url }]),
    ],
  };
}

/** The time, address and client of an action. An email that an older version has queued lacks some. */
function factsOf(values: EmailContent['values'], { i18n, locale }: MailLanguage): readonly Fact[] {
  const { when, ip = UNKNOWN } = values;
  return [
    ...(when === undefined ? [] : [{ name: i18n._('When'), value: isolate(timeText(when, locale)) }]),
    { name: i18n._('Address'), value: placeText(i18n, ip) },
    { name: i18n._('Device'), value: deviceText(i18n, values) },
  ];
}

function placeText(i18n: I18n, ip: string): string {
  if (ip === PRIVATE_NETWORK) return i18n._('a private network');
  return ip === UNKNOWN ? i18n._('unknown') : isolate(ip);
}

function deviceText(i18n: I18n, { client = UNKNOWN, browser = '', os = '' }: EmailContent['values']): string {
  if (browser !== '' && os !== '')
    return i18n._('{browser} on {system}', { browser: isolate(browser), system: isolate(os) });
  return client === UNKNOWN ? i18n._('unknown') : isolate(client);
}

function timeText(when: string, locale: string): string {
  const time = new Date(when);
  if (Number.isNaN(time.getTime())) return when;
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'long',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(time);
}
