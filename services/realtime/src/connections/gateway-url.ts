import { CloseCode } from './connection.ts';

/** The values of the query parameters `v` and `encoding`. */
export const VERSION = '1';
export const ENCODING = 'json';

export function isGatewayPath(url: string): boolean {
  return /^\/gateway\/?(\?|$)/.test(url);
}

/**
 * Returns the code that closes a connection with this query; undefined if the query is valid. A repeated parameter must be
 * valid each time. Unknown parameters are ignored.
 */
export function queryProblem(url: string): CloseCode | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const query = new URLSearchParams(url.slice(start));
  if (query.getAll('v').some((v) => v !== VERSION)) return CloseCode.INVALID_VERSION;
  if (query.getAll('encoding').some((encoding) => encoding !== ENCODING)) return CloseCode.DECODE_ERROR;
  return undefined;
}
