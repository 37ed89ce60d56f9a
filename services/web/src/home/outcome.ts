/** How an authorization ended that had nowhere else to go back to (docs/oauth2.md#error-target). */
export type Outcome = 'allowed' | 'refused' | 'failed';

/** Reads the query of a callback; undefined: it is none. */
export function readOutcome(query: string): Outcome | undefined {
  const search = new URLSearchParams(query);
  if (search.has('error')) return search.get('error') === 'access_denied' ? 'refused' : 'failed';
  return search.has('code') ? 'allowed' : undefined;
}
