import type { DemoData } from './demo-data.ts';

/** A page, or a main view of one. */
export interface View {
  /** In names of files. */
  readonly name: string;
  /** Its address at the edge. */
  readonly path: string;
  readonly isSignedIn: boolean;
  /** Pages for developers are in English only. */
  readonly isEnglish: boolean;
  /** The selector of what opens it, if it has no address. */
  readonly opener?: string;
}

const CALLBACK = encodeURIComponent('https://clock.example/callback');

/** Every page with each of its main views. */
export function viewsOf({ guild_id, application_id }: DemoData): readonly View[] {
  const consent = `/oauth2/authorize?response_type=code&client_id=${application_id}`;
  const guild = `/guilds/${guild_id}`;
  return [
    guest('home', '/'),
    guest('sign-in', '/account'),
    guest('verify', '/verify'),
    guest('reset', '/reset'),
    guest('authorize-ip', '/authorize-ip'),
    guest('not-found', '/no-such-page'),
    guest('consent-broken', '/oauth2/authorize?client_id=1'),
    english('docs', '/docs'),
    english('docs-guide', '/docs/credentials'),
    english('docs-operation', '/docs/reference/createGuild'),
    english('docs-gateway', '/docs/gateway-reference'),
    english('components', '/dev/components'),
    english('mailbox', '/dev/mail'),
    { ...english('mail', '/dev/mail'), opener: '.mails a' },
    user('account', '/account'),
    user('consent', `${consent}&scope=identify&redirect_uri=${CALLBACK}`),
    user('consent-bot', `${consent}&scope=bot&permissions=8`),
    user('developers', '/developers'),
    user('developers-new', '/developers#new'),
    user('application', `/developers#${application_id}`),
    user('application-bot', `/developers#${application_id}/bot`),
    user('application-link', `/developers#${application_id}/link`),
    user('application-try', `/developers#${application_id}/try`),
    user('application-usage', `/developers#${application_id}/usage`),
    user('guilds', '/guilds'),
    user('guild-webhooks', `${guild}#webhooks`),
    { ...user('guild-webhook', `${guild}#webhooks`), opener: '.webhook-row a' },
    user('guild-bots', `${guild}#bots`),
    user('guild-members', `${guild}#members`),
    user('guild-roles', `${guild}#members/roles`),
    user('guild-audit-log', `${guild}#audit-log`),
  ];
}

/** The views whose names contain one of the texts; all of them without a text. */
export function chosenViews(data: DemoData, texts: readonly string[]): readonly View[] {
  const views = viewsOf(data);
  return texts.length === 0 ? views : views.filter(({ name }) => texts.some((text) => name.includes(text)));
}

function guest(name: string, path: string): View {
  return { name, path, isSignedIn: false, isEnglish: false };
}

function english(name: string, path: string): View {
  return { name, path, isSignedIn: false, isEnglish: true };
}

function user(name: string, path: string): View {
  return { name, path, isSignedIn: true, isEnglish: false };
}
