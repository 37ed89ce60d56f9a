import { isTab, type Tab } from './tabs.ts';

/** The guild of a path: `/guilds/7`. Undefined for the list of guilds. */
export function guildIdOf(pathname: string): string | undefined {
  return /^\/guilds\/([0-9]+)$/.exec(pathname)?.[1];
}

/** The view of a guild, as named by the fragment of the URL. */
export interface GuildView {
  /** Undefined for the first tab that the user may see. */
  readonly tab: Tab | undefined;
  /** The part of the tab: `#members/roles` is `roles`. Empty for its first part. */
  readonly part: string;
}

/** Parses `#`, `#TAB` and `#TAB/PART`. */
export function viewOf(hash: string): GuildView {
  const [name = '', ...parts] = hash.replace(/^#/, '').split('/');
  return isTab(name) ? { tab: name, part: parts.join('/') } : { tab: undefined, part: '' };
}

export function hashOf(tab: Tab, part = ''): string {
  return part === '' ? `#${tab}` : `#${tab}/${part}`;
}
