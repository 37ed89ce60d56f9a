import type { EnvReader } from '../env.ts';
import { edgeAddress } from './edge-address.ts';

/** Reads WEB_APP_URL, without a trailing slash. Paths and parameters are appended to it. */
export function webAppUrl(read: EnvReader): string {
  const url = URL.parse(
    read.url('WEB_APP_URL', {
      about: 'the web app: consent, links in mail and in the edge’s log, passkeys’ relying party',
      protocols: ['http', 'https'],
      default: `http://${edgeAddress(read)}`,
      unset: 'the edge, at HOST and PORT',
      example: 'https://chat.example.com',
    }),
  );
  if (url === null) return ''; // reported already
  const text = url.origin + url.pathname;
  if (url.href !== text) read.problem('WEB_APP_URL must have no query, fragment or user');
  return text.replace(/\/+$/, '');
}

/**
 * Reads BASE_URL, the public URL of the edge. It has no path, so that OAuth2's metadata is where clients look for it
 * (RFC 8414 §3).
 */
export function baseUrl(read: EnvReader, web_app_url: string): string {
  const url = URL.parse(
    read.url('BASE_URL', {
      about:
        'where clients find the edge, without a path: OAuth2’s issuer (RFC 8414), and the base of webhooks’ URLs',
      protocols: ['http', 'https'],
      default: URL.parse(web_app_url)?.origin ?? '',
      unset: 'the origin of WEB_APP_URL',
      example: 'https://chat.example.com',
    }),
  );
  if (url === null) return ''; // reported already
  if (url.href !== `${url.origin}/`) read.problem('BASE_URL must have no path, query or user');
  return url.origin;
}
