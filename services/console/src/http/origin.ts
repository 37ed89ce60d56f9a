import type { IncomingHttpHeaders } from 'node:http';
import { hostAndPort, isLoopback } from '@gatehouse/kit/net/host-port';
import type { FastifyRequest } from 'fastify';
import { badRequest, fault } from '../errors.ts';

/** The header that scripts of the console send with each change. Other sites cannot set it without a preflight. */
export const CHANGE_HEADER = 'x-gatehouse-console';

/** Headers of proxies: then the peer is a proxy, and the client may be anywhere. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Refuses a change that another site may have caused (CSRF).
 *
 * @throws FORBIDDEN
 */
export function requireOwnSite({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers[CHANGE_HEADER] === undefined || !isSameOrigin(headers))
    throw fault('FORBIDDEN', {
      message: `Changes need the header ${CHANGE_HEADER}, and come from the console’s pages.`,
    });
}

function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  // The origin of a sandboxed page is the text `null`.
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host?.toLowerCase();
}

/**
 * Refuses a request to a name that is not the console's: a site whose name leads to this machine (DNS rebinding) sends
 * its own.
 *
 * @param url the console's public URL, if it is set
 * @throws BAD_REQUEST
 */
export function requireOwnHost({ headers, socket }: FastifyRequest, url: string | undefined): void {
  const host = headers.host?.toLowerCase() ?? '';
  if (url !== undefined && host === new URL(url).host) return;
  const { host: name } = hostAndPort(/:\d+$/.test(host) ? host : `${host}:0`);
  // By an address or a name that only this machine has, or where the console has no name of its own.
  if (isLoopback(name) || (url === undefined && !isLoopbackPeer(socket.localAddress))) return;
  throw badRequest(
    'The console is not known by this name. Open it by CONSOLE_URL, or set that to this name.',
  );
}

/** Whether a program on this machine sent the request itself. */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return isLoopbackPeer(socket.remoteAddress) && !FORWARDED.some((name) => headers[name] !== undefined);
}

function isLoopbackPeer(address: string | undefined): boolean {
  return address !== undefined && isLoopback(address.replace(/^::ffff:/, ''));
}
