/** What the browser comes back with from consent. */
export interface Callback {
  readonly state: string;
  /** One of the two is there. */
  readonly code?: string;
  readonly error?: string;
}

/** Reads the query of a callback; undefined: it is none, or says one thing twice (RFC 6749 §3.1). */
export function readCallback(search: string): Callback | undefined {
  const query = new URLSearchParams(search);
  const names = [...query.keys()];
  const { state, code, error } = Object.fromEntries(query);
  if (!state || new Set(names).size < names.length) return undefined;
  if (code && !error) return { state, code };
  return error && !code ? { state, error } : undefined;
}
