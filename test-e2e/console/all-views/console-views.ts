import type { ConsoleData } from './console-data.ts';

/** A page of the console, or a main view of one. */
export interface ConsoleView {
  /** In names of files. */
  readonly name: string;
  readonly path: string;
  /** The names of the buttons that open it, one after the other, if it has no address. */
  readonly buttons?: readonly string[];
}

/** What somebody sees who is not signed in. */
export const GUEST_VIEWS: readonly ConsoleView[] = [
  { name: 'console-sign-in', path: '/sign-in' },
  { name: 'console-sign-in-code', path: '/sign-in', buttons: ['Use password and code instead'] },
  { name: 'console-link', path: '/link#abc' },
  { name: 'console-link-broken', path: '/link' },
];

/** Every page with each of its main views. */
export function operatorViews(data: ConsoleData): readonly ConsoleView[] {
  const { account_id, suspended_id, application_id, guild_id, webhook_id, request_id } = data;
  const account = `/accounts/${account_id}`;
  const tabs = ['webhooks', 'sessions', 'factors', 'grants', 'guilds', 'events'];
  return [
    { name: 'console-overview', path: '/' },
    { name: 'console-enrol', path: '/enrol' },
    {
      name: 'console-enrol-app',
      path: '/enrol',
      buttons: ['Use a password and an authenticator app instead'],
    },
    { name: 'console-routes', path: '/routes' },
    { name: 'console-route', path: '/routes', buttons: ['POST /webhooks/{webhook_id}/{token}'] },
    { name: 'console-request', path: `/requests/${encodeURIComponent(request_id)}` },
    { name: 'console-request-unknown', path: `/requests/${'r'.repeat(128)}` },
    { name: 'console-limits', path: '/limits' },
    { name: 'console-overrides', path: '/limits?tab=overrides' },
    { name: 'console-override', path: '/limits?tab=overrides', buttons: ['Set an override'] },
    { name: 'console-explain', path: '/limits?tab=explain', buttons: ['Explain'] },
    { name: 'console-identity', path: `/limits?identity=${encodeURIComponent(`account:${account_id}`)}` },
    { name: 'console-accounts', path: '/accounts' },
    { name: 'console-accounts-found', path: '/accounts?q=demo' },
    { name: 'console-accounts-none', path: `/accounts?q=${'x'.repeat(120)}` },
    { name: 'console-account', path: account },
    ...tabs.map((tab) => ({ name: `console-account-${tab}`, path: `${account}?tab=${tab}` })),
    { name: 'console-account-suspended', path: `/accounts/${suspended_id}` },
    { name: 'console-account-unknown', path: '/accounts/1' },
    { name: 'console-suspend', path: account, buttons: ['Suspend'] },
    { name: 'console-applications', path: '/applications' },
    { name: 'console-application', path: `/applications/${application_id}` },
    { name: 'console-webhooks', path: '/webhooks' },
    { name: 'console-webhooks-all', path: '/webhooks?list=all' },
    { name: 'console-webhook', path: `/webhooks/${webhook_id}` },
    { name: 'console-guilds', path: '/guilds' },
    { name: 'console-guild', path: `/guilds/${guild_id}` },
    { name: 'console-gateway', path: '/gateway' },
    { name: 'console-jobs', path: '/jobs' },
    { name: 'console-operators', path: '/operators' },
    { name: 'console-operator-add', path: '/operators', buttons: ['Add an operator'] },
    { name: 'console-log', path: '/log' },
    { name: 'console-not-found', path: '/no-such-page' },
  ];
}
