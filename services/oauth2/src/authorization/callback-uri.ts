import { formEncoded } from './form-encoding.ts';

/** A parameter value of a callback: text, or bytes that need not be UTF-8. */
export type CallbackValue = string | Uint8Array | null | undefined;

/**
 * Adds parameters to a redirect URI, whose own query stays as it is (docs/oauth2.md#callback-parameters). Undefined and
 * empty values are left out.
 */
export function callbackUri(uri: string, parameters: Readonly<Record<string, CallbackValue>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value == null || value.length === 0 ? [] : [`${name}=${formEncoded(value)}`],
  );
  if (given.length === 0) return uri;
  const query = given.join('&');
  const own = uri.indexOf('?') + 1;
  if (own === 0) return `${uri}?${query}`;
  // A second question mark belongs to the last value of the URI's own query.
  return own === uri.length || uri.endsWith('&') ? uri + query : `${uri}&${query}`;
}
