import { type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import { clientIp, peerAddress } from '@gatehouse/kit/net/client-ip';
import { headTooLong, notHttp } from '../http/broken-request.ts';
import { headerCount, headerList, MAX_HEADERS } from '../http/request-headers.ts';

/** Realtime's HTTP server, like any of Node's, accepts a head of 16 KiB. */
const MAX_BYTES = 15 * 1024;

/** Headers of one connection, not of the request (RFC 9110 §7.6.1), and headers that the edge writes itself. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-request-id',
]);

/**
 * Writes the head of an upgrade for realtime.
 *
 * @throws Fault if the request cannot be passed on
 */
export type WriteHead = (request: IncomingMessage, request_id: string) => Buffer;

export function headWriter(trusted_proxies: readonly string[]): WriteHead {
  const forwardedFor = forwardedForWriter(trusted_proxies);
  return (request, request_id) => {
    const { url = '', rawHeaders, headers } = request;
    if (rawHeaders.length > 2 * MAX_HEADERS) throw headTooLong();
    if (headerCount(rawHeaders, 'host') !== 1 || !/^[\x21-\x7e\x80-\xff]+$/.test(url)) throw notHttp();
    const lines = [`GET ${url} HTTP/1.1`, ...passedOn(rawHeaders, headerList(headers.connection))];
    lines.push('Connection: Upgrade', 'Upgrade: websocket');
    lines.push(`X-Forwarded-For: ${forwardedFor(request)}`, `X-Request-Id: ${request_id}`);
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    if (head.length > MAX_BYTES) throw headTooLong();
    return head;
  };
}

/**
 * The addresses through which a request came, its peer last. Addresses from a peer that is no trusted proxy are
 * dropped (docs/conventions.md#client-address).
 */
function forwardedForWriter(trusted_proxies: readonly string[]): (request: IncomingMessage) => string {
  const addressOf = peerAddress(trusted_proxies);
  const canonical = clientIp([]);
  return ({ socket: { remoteAddress }, headers }) => {
    const peer = canonical(remoteAddress, undefined);
    const forwarded = headers['x-forwarded-for'] as string | undefined; // Node joins several
    const isTrusted = addressOf(remoteAddress) === undefined;
    return isTrusted && forwarded !== undefined && forwarded !== '' ? `${forwarded}, ${peer}` : peer;
  };
}

/** The headers, unchanged, without those that `Connection` names. Host is never one of them. */
function passedOn(rawHeaders: readonly string[], named: readonly string[]): string[] {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const lower = name.toLowerCase();
    if (NOT_PASSED_ON.has(lower) || (named.includes(lower) && lower !== 'host')) continue;
    checkHeader(name, value);
    lines.push(`${name}: ${value}`);
  }
  return lines;
}

/** A second line of defence: Node's parser refuses headers that would begin another line. */
function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw notHttp();
  }
}
