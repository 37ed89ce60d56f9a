/** The scopes of applications, described for users: each completes the heading "Clock asks to". */
export const SCOPES = {
  identify: 'See who you are: your user name, display name and picture',
  email: 'See your e-mail address',
  guilds: 'See which guilds you are in, with their roles',
  connections: 'See your accounts elsewhere that you have connected',
  bot: 'Add its bot to a guild or a group conversation',
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
