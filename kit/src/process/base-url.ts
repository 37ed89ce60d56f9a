import type { EnvReader } from '../env.ts';
import { edgeAddress } from './edge-address.ts';

/** WEB_APP_URL, as a header can carry it: without a slash at its end. Paths and parameters are added to it. */
export function webAppUrl(read: EnvReader): string {
  const url = URL.parse(read.url('WEB_APP_URL', ['http', 'https'], `http://${edgeAddress(read)}`));
  if (url === null) return ''; // a problem already
  const text = url.origin + url.pathname;
  if (url.href !== text) read.problem('WEB_APP_URL must have no query, fragment or user');
  return text.replace(/\/+$/, '');
}

/**
 * BASE_URL, where clients find the edge. It has no path, so that OAuth2's metadata is where clients look for it
 * (RFC 8414 §3).
 */
export function baseUrl(read: EnvReader, web_app_url: string): string {
  const url = URL.parse(read.url('BASE_URL', ['http', 'https'], URL.parse(web_app_url)?.origin ?? ''));
  if (url === null) return ''; // a problem already
  if (url.href !== `${url.origin}/`) read.problem('BASE_URL must have no path, query or user');
  return url.origin;
}
