const API = '/api/v1';

/** The address of the API below the base URL of an installation, which may end with it. @throws TypeError */
export function apiAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must be an http or https URL without a query, such as https://chat.example');
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return base.endsWith(API) ? base : base + API;
}
