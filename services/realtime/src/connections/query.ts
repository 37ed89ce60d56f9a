import { CloseCode } from './connection.ts';

/**
 * The code that a connection opened with this query is closed with; undefined: none. A parameter that is given twice
 * must be right each time. Others are ignored.
 */
export function queryProblem(url: string): CloseCode | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const query = new URLSearchParams(url.slice(start));
  if (query.getAll('v').some((v) => v !== '1')) return CloseCode.INVALID_VERSION;
  if (query.getAll('encoding').some((encoding) => encoding !== 'json')) return CloseCode.DECODE_ERROR;
  return undefined;
}

/** Whether the request is for the Gateway. */
export function isGatewayPath(url: string): boolean {
  return /^\/gateway\/?(\?|$)/.test(url);
}
