import { i18n } from '../shared/i18n/i18n.ts';

/** In display order. */
export const TABS = ['settings', 'bot', 'link', 'try', 'usage'] as const;
export type Tab = (typeof TABS)[number];

export function tabLabel(tab: Tab): string {
  switch (tab) {
    case 'settings':
      return i18n._('Settings');
    case 'bot':
      return i18n._('Bot');
    case 'link':
      return i18n._('Authorization URL');
    case 'try':
      return i18n._('Try it');
    case 'usage':
      return i18n._('Usage');
  }
}

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
  return TABS.some((tab) => tab === text);
}
