import { invalidScope } from '../errors.ts';

/** All scopes (docs/oauth2.md#scopes). */
export const SCOPES = ['identify', 'email', 'guilds', 'connections', 'bot'] as const;
export type Scope = (typeof SCOPES)[number];

/** Reads a scope string. The result is unique and in alphabetical order. @throws INVALID_SCOPE */
export function readScopes(text: string | null | undefined): Scope[] {
  const parts = (text ?? '').split(/[\s+]+/).filter((part) => part !== '');
  if (parts.length === 0) throw invalidScope('A scope is required.');
  const scopes = SCOPES.filter((scope) => parts.includes(scope));
  if (parts.some((part) => !isScope(part))) throw invalidScope(`Must be of ${SCOPES.join(', ')}.`);
  return scopes.sort();
}

function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
