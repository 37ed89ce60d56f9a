import { isIP } from 'node:net';
import { ipAllocation, ipGroup, ipSubnet } from '@gatehouse/kit/net/client-ip';
import type { QueueOptions } from '@gatehouse/kit/queues/concurrency';
import type { Call } from '@gatehouse/kit/rpc';

/** A call whose work waits in a queue. */
export type WaitingCall = Pick<Call, 'signal' | 'due_ms'> & { readonly caller: Pick<Call['caller'], 'ip'> };

/** The share of its time to the deadline that a call may wait, so that it gets a 503 instead of a timeout. */
const MAX_WAIT_SHARE = 0.6;
/** For calls without a deadline. The calls of the edge have the same. */
const DEFAULT_DEADLINE_MS = 10_000;

/**
 * The networks of a call, which take turns in the queue, and the time until which it may wait. A flood only delays its
 * own network.
 */
export function queueOptions({ caller, due_ms }: WaitingCall): QueueOptions {
  const now = performance.now();
  const left_ms = Number.isFinite(due_ms) ? due_ms - now : DEFAULT_DEADLINE_MS;
  return { from: networksOf(caller.ip), until_ms: now + left_ms * MAX_WAIT_SHARE };
}

/** Widest first: /16, /24 and the address, or /32, /48 and /64 of IPv6. Calls without an address share one network. */
function networksOf(ip: string): string[] {
  const [address = ''] = ip.split('%');
  return isIP(address) === 0 ? ['unknown'] : [ipAllocation(address), ipSubnet(address), ipGroup(address)];
}
