import type { IncomingMessage } from 'node:http';
import { hasBody, headerList } from '../http/request-headers.ts';

/** The path at which clients open WebSockets (docs/gateway.md#connect). */
export const GATEWAY_PATH = '/gateway';

/** Clients often write a slash before the query. */
const TARGET = /^\/gateway\/?(?:\?|$)/;

/**
 * Whether a request opens a WebSocket to the real-time Gateway. A request with a body does not: the edge and realtime
 * could disagree about the body's end. HTTP/1.0 has no upgrades (RFC 9110 §7.8).
 */
export function isUpgrade(request: IncomingMessage): boolean {
  const { method, url = '', httpVersion, headers } = request;
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    TARGET.test(url) &&
    headerList(headers.upgrade).includes('websocket') &&
    !hasBody(request)
  );
}
