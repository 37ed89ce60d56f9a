import { apiAddress } from '../http/api-address.ts';
import { membersOf } from '../http/error-members.ts';
import type { Fetch } from '../http/fetch.ts';
import { sendOnce } from '../http/send-once.ts';
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
const MAX_ANSWER_BYTES = 65_536;
const OPERATION = 'GET /gateway';

/**
 * The Gateway's URL.
 *
 * @throws GatewayError if there is no Gateway at this address; any other error if it is not reached
 */
export async function findGateway(address: GatewayAddress, signal: AbortSignal): Promise<string> {
  if (address.gatewayUrl !== undefined) return address.gatewayUrl;
  const { fetch = globalThis.fetch } = address;
  const call = {
    method: 'GET',
    url: `${apiAddress(address.baseUrl)}/gateway`,
    headers: new Headers(),
    body: undefined,
    operation: OPERATION,
    bucketKey: '',
  };
  const answer = await sendOnce(call, (url, init) => fetch(url, init), MAX_ANSWER_BYTES, signal);
  const { status } = answer;
  // A browser hides the status of a redirect.
  if (status < 200 || (status >= 300 && status < 500 && !PASSING.includes(status)))
    throw new GatewayError(`${OPERATION}: the answer has status ${status}; is baseUrl right?`);
  if (status >= 300) throw new Error(`${OPERATION}: the answer has status ${status}`);
  const { url } = membersOf(answer);
  if (typeof url !== 'string') throw new Error(`${OPERATION}: the answer has no url`);
  return url;
}

/** @throws GatewayError unless it is the URL of a WebSocket, and an encrypted one if the user's address is */
export function withProtocol(gatewayUrl: string, address: GatewayAddress): string {
  const url = URL.canParse(gatewayUrl) ? new URL(gatewayUrl) : undefined;
  if (url === undefined || !/^wss?:$/.test(url.protocol))
    throw new GatewayError(`${gatewayUrl} is no ws or wss URL`);
  const isEncrypted = /^(?:https|wss):/i.test(address.gatewayUrl ?? address.baseUrl);
  if (isEncrypted && url.protocol === 'ws:')
    throw new GatewayError(`${gatewayUrl} is no wss URL: the token would not be encrypted`);
  url.hash = ''; // which ws refuses
  url.searchParams.set('v', '1');
  url.searchParams.set('encoding', 'json');
  return url.href;
}
