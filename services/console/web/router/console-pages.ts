/**
 * The paths of pages; `:name` stands for one segment. The server sends `dist/index.html` for each of them. /link has its
 * one-time token in the fragment, which no server sees.
 */
export const CONSOLE_PAGES = [
  '/',
  '/routes',
  '/requests/:request_id',
  '/limits',
  '/accounts',
  '/accounts/:id',
  '/applications',
  '/applications/:id',
  '/webhooks',
  '/webhooks/:id',
  '/guilds',
  '/guilds/:id',
  '/gateway',
  '/jobs',
  '/operators',
  '/log',
  '/sign-in',
  '/link',
  '/enrol',
] as const;

export type ConsolePage = (typeof CONSOLE_PAGES)[number];
