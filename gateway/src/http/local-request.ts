import type { IncomingHttpHeaders } from 'node:http';

/** The head of a request, and its connection. */
interface RequestHead {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

const LOOPBACK_PEER = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
/** Headers of proxies: the peer is the proxy, and the client may be anywhere. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * Whether a program on this machine sent the request to a name of this machine, and no proxy forwarded it. A website
 * whose name leads to this machine (DNS rebinding) has its own name in Host.
 */
export function isLocalRequest({ socket, headers }: RequestHead): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return LOOPBACK_PEER.test(socket.remoteAddress ?? '') && LOOPBACK_HOST.test(headers.host ?? '');
}

/** Whether the request comes from a page of this edge, from the address bar, or from no browser. */
export function isSameOrigin({ headers }: Pick<RequestHead, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  // Browsers without Sec-Fetch-Site. The origin of a sandboxed page is the text `null`.
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host?.toLowerCase();
}
