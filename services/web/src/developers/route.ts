export const TABS = {
  settings: 'Settings',
  bot: 'Bot',
  link: 'Authorization URL',
  try: 'Try it',
} as const;
export type Tab = keyof typeof TABS;

/** The view of the portal, as named by the fragment of the URL. */
export type Route =
  | { readonly view: 'list' | 'new' | 'unknown' }
  | { readonly view: 'application'; readonly id: string; readonly tab: Tab };

/** Parses `#all`, `#new`, `#ID` and `#ID/TAB`. */
export function routeOf(hash: string): Route {
  const [name = '', tab = 'settings', ...rest] = hash.replace(/^#/, '').split('/');
  if (['', '#', '#all'].includes(hash)) return { view: 'list' };
  if (hash === '#new') return { view: 'new' };
  if (/^[0-9]{1,19}$/.test(name) && isTab(tab) && rest.length === 0)
    return { view: 'application', id: name, tab };
  return { view: 'unknown' };
}

/** The URL of a view of an application. */
export function hashOf(id: string, tab: Tab = 'settings'): string {
  return tab === 'settings' ? `#${id}` : `#${id}/${tab}`;
}

function isTab(text: string): text is Tab {
  return Object.hasOwn(TABS, text);
}
