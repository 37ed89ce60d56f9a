import { formEncoded } from './form-encoding.ts';

/** A value of a callback's parameter: text, or bytes that need not be UTF-8. */
export type CallbackValue = string | Uint8Array | null | undefined;

/**
 * A callback with parameters. They are added to the URI's own query, which stays as it is
 * (docs/oauth2.md#callback-parameters); what is undefined or empty is left out.
 */
export function callback(uri: string, parameters: Readonly<Record<string, CallbackValue>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value == null || value.length === 0 ? [] : [`${name}=${formEncoded(value)}`],
  );
  if (given.length === 0) return uri;
  const query = given.join('&');
  const own = uri.indexOf('?') + 1;
  if (own === 0) return `${uri}?${query}`;
  // A further question mark belongs to the last value of the URI's own query.
  return own === uri.length || uri.endsWith('&') ? uri + query : `${uri}&${query}`;
}
