/** The parameters of a callback from the consent page. */
export interface Callback {
  readonly state: string;
  /** Either a code or an error. */
  readonly code?: string;
  readonly error?: string;
}

/** Parses the query of a callback. Undefined if it is not a callback, or repeats a parameter (RFC 6749 §3.1). */
export function readCallback(search: string): Callback | undefined {
  const query = new URLSearchParams(search);
  const names = [...query.keys()];
  const { state, code, error } = Object.fromEntries(query);
  if (!state || new Set(names).size < names.length) return undefined;
  if (code && !error) return { state, code };
  return error && !code ? { state, error } : undefined;
}
