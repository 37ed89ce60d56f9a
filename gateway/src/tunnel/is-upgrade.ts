import type { IncomingMessage } from 'node:http';

/** Where clients open WebSockets (docs/gateway.md#connect). */
export const GATEWAY_PATH = '/gateway';

/** Clients often write a slash before the query. */
const TARGET = /^\/gateway\/?(?:\?|$)/;

/**
 * Whether a request asks for a WebSocket to the real-time Gateway. One with a body is no such request: where it ends
 * would be seen by the edge and by realtime in different ways. HTTP/1.0 has no upgrades (RFC 9110 §7.8).
 */
export function isUpgrade(request: IncomingMessage): boolean {
  const { method, url = '', httpVersion, headers } = request;
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    TARGET.test(url) &&
    listed(headers.upgrade).includes('websocket') &&
    !hasBody(request)
  );
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The members of a header that is a list, in lower case. */
export function listed(header: string | undefined): string[] {
  return (header ?? '').split(',').map((one) => one.trim().toLowerCase());
}
