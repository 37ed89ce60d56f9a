import { isScope, SCOPE_NAMES, SCOPES } from '../shared/scopes.ts';

/** Descriptions of scopes, the most personal first. An unknown scope is shown by its name. */
export function describeScopes(scopes: readonly string[]): readonly string[] {
  const known = SCOPE_NAMES.filter((scope) => scopes.includes(scope));
  return [...known.map((scope) => SCOPES[scope]), ...scopes.filter((scope) => !isScope(scope))];
}
