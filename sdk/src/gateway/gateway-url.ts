import { apiAddress } from '../http/api-address.ts';
import type { Fetch } from '../http/fetch.ts';
import { memberOf } from './frame.ts';
import { GatewayError } from './gateway-error.ts';

export interface GatewayAddress {
  /** The address of the installation, such as `https://chat.example`. */
  readonly baseUrl: string;
  /** The Gateway's URL, in place of the one that `GET /gateway` returns. */
  readonly gatewayUrl?: string | undefined;
  /** In place of the global fetch. */
  readonly fetch?: Fetch | undefined;
}

/** Statuses that may pass by themselves. */
const PASSING = [408, 425, 429];

/**
 * The Gateway's URL.
 *
 * @throws GatewayError if there is no Gateway at this address; any other error if it is not reached
 */
export async function findGateway(address: GatewayAddress, signal: AbortSignal): Promise<string> {
  if (address.gatewayUrl !== undefined) return address.gatewayUrl;
  const { fetch = globalThis.fetch } = address;
  const response = await fetch(`${apiAddress(address.baseUrl)}/gateway`, { signal });
  const { status } = response;
  if (status >= 400 && status < 500 && !PASSING.includes(status))
    throw new GatewayError(`GET /gateway: the answer has status ${status}; is baseUrl right?`);
  if (!response.ok) throw new Error(`GET /gateway: the answer has status ${status}`);
  const url = memberOf(await response.json(), 'url');
  if (typeof url !== 'string') throw new Error('GET /gateway: the answer has no url');
  return url;
}

/** @throws GatewayError unless it is the URL of a WebSocket */
export function withProtocol(gatewayUrl: string): string {
  const url = URL.canParse(gatewayUrl) ? new URL(gatewayUrl) : undefined;
  if (url === undefined || !/^wss?:$/.test(url.protocol))
    throw new GatewayError(`${gatewayUrl} is no ws or wss URL`);
  url.searchParams.set('v', '1');
  url.searchParams.set('encoding', 'json');
  return url.href;
}
