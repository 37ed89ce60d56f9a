import { isScope, SCOPES } from '../shared/scopes.ts';

const ORDER = Object.keys(SCOPES);

/** What an application that holds these scopes can do, most personal first. */
export function grantedInWords(scopes: readonly string[]): readonly string[] {
  const known = ORDER.filter((scope) => scopes.includes(scope)).filter(isScope);
  return [...known.map((scope) => SCOPES[scope]), ...scopes.filter((scope) => !isScope(scope))];
}
