import { isScope, SCOPE_NAMES, SCOPES } from '../shared/scopes.ts';

/** Descriptions of what an application with these scopes can do, most personal first. */
export function grantedInWords(scopes: readonly string[]): readonly string[] {
  const known = SCOPE_NAMES.filter((scope) => scopes.includes(scope));
  return [...known.map((scope) => SCOPES[scope]), ...scopes.filter((scope) => !isScope(scope))];
}
