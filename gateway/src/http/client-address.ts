import type { IncomingMessage } from 'node:http';
import type { Logger } from '@gatehouse/kit/log';
import { clientIp } from '@gatehouse/kit/net/client-ip';

/** Finds the address of a request's client (docs/conventions.md#client-address). */
export type ClientAddress = (request: IncomingMessage) => string;

export function clientAddress(trusted_proxies: readonly string[], log: Logger): ClientAddress {
  const ipOf = clientIp(trusted_proxies, log);
  return ({ socket, headers }) =>
    ipOf(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined); // Node joins several
}
