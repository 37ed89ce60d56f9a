/**
 * A callback with parameters. They are added to the URI's own query, which stays as it is
 * (docs/oauth2.md#callback-parameters); what is undefined or empty is left out.
 */
export function callback(
  uri: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const given = Object.entries(parameters).filter(([, value]) => value != null && value !== '');
  if (given.length === 0) return uri;
  const query = new URLSearchParams(given as [string, string][]).toString();
  const own = uri.indexOf('?') + 1;
  if (own === 0) return `${uri}?${query}`;
  // A further question mark belongs to the last value of the URI's own query.
  return own === uri.length || uri.endsWith('&') ? uri + query : `${uri}&${query}`;
}
