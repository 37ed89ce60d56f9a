import { isIP } from 'node:net';
import { ipGroup, ipRegion, ipSubnet } from '@gatehouse/kit/net/client-ip';
import type { Turn } from '@gatehouse/kit/queues/concurrency';
import type { Call } from '@gatehouse/kit/rpc';

/** A call whose work waits in a queue. */
export type WaitingCall = Pick<Call, 'signal' | 'due_ms'> & { readonly caller: Pick<Call['caller'], 'ip'> };

/** The share of the time to its deadline that a call may wait. A 503 then says more than a timeout. */
const WAITS = 0.6;
/** The time to the deadline of the edge's calls, for calls without one. */
const TIME_MS = 10_000;

/** The position of a call in a queue. Networks take turns, so a flood only delays its own network. */
export function turnOf({ caller, due_ms }: WaitingCall): Turn {
  const now = performance.now();
  const left_ms = Number.isFinite(due_ms) ? due_ms - now : TIME_MS;
  return { from: networksOf(caller.ip), until_ms: now + left_ms * WAITS };
}

/** Widest first: /16, /24 and the address, or /32, /48 and /64 of IPv6. Calls without an address share one network. */
function networksOf(ip: string): string[] {
  const [address = ''] = ip.split('%');
  return isIP(address) === 0 ? ['unknown'] : [ipRegion(address), ipSubnet(address), ipGroup(address)];
}
