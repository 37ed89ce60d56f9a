/** What an application may ask for, each with what it means, as the end of "It will be able to …". */
export const SCOPES = {
  identify: 'See who you are: your user name, display name and picture',
  email: 'See your e-mail address',
  guilds: 'See which guilds you are in, with their roles',
  connections: 'See your accounts elsewhere that you have connected',
  bot: 'Add its bot to a guild or a group conversation',
} as const;

export type Scope = keyof typeof SCOPES;

/** In the order in which they are shown. */
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** The parts of a scope parameter, each once: they are separated by blanks or "+". */
export function splitScopes(text: string): readonly string[] {
  return [...new Set(text.split(/[\s+]+/).filter((part) => part !== ''))];
}
