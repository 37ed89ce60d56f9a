import { i18n } from './i18n/i18n.ts';

/** The scopes of applications, described for users in the language of the page: each completes the heading "Clock asks to". */
export const SCOPES = {
  get identify() {
    return i18n._('See who you are: your user name, display name and picture');
  },
  get email() {
    return i18n._('See your e-mail address');
  },
  get guilds() {
    return i18n._('See which guilds you are in, with their roles');
  },
  get connections() {
    return i18n._('See your accounts elsewhere that you have connected');
  },
  get bot() {
    return i18n._('Add its bot to a guild or a group conversation');
  },
} as const;

export type Scope = keyof typeof SCOPES;

/** In display order. */
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** The unique parts of a scope parameter, separated by white space or "+". */
export function splitScopes(text: string): readonly string[] {
  return [...new Set(text.split(/[\s+]+/).filter((part) => part !== ''))];
}
