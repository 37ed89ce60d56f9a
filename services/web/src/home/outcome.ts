/** The outcome of an authorization without a redirect URI (docs/oauth2.md#error-target). */
export type Outcome = 'allowed' | 'refused' | 'failed';

/** Parses the query of a callback. Undefined if it is not a callback. */
export function readOutcome(query: string): Outcome | undefined {
  const search = new URLSearchParams(query);
  if (search.has('error')) return search.get('error') === 'access_denied' ? 'refused' : 'failed';
  return search.has('code') ? 'allowed' : undefined;
}
