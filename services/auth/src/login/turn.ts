import { isIP } from 'node:net';
import { ipGroup, ipRegion, ipSubnet } from '@gatehouse/kit/net/client-ip';
import type { Turn } from '@gatehouse/kit/queues/concurrency';
import type { Call } from '@gatehouse/kit/rpc';

/** The caller of work that waits for its turn. */
export type WaitingCall = Pick<Call, 'signal' | 'due_ms'> & { readonly caller: Pick<Call['caller'], 'ip'> };

/** Of the time until its deadline. Then a caller that still waits is refused: 503 says more than no answer in time. */
const WAITS = 0.6;
/** The time of a call without a deadline: that of the edge's calls. */
const TIME_MS = 10_000;

/** A caller's turn: networks take turns, so that whoever fills a line delays their own network only. */
export function turnOf({ caller, due_ms }: WaitingCall): Turn {
  const now = performance.now();
  const left_ms = Number.isFinite(due_ms) ? due_ms - now : TIME_MS;
  return { from: networksOf(caller.ip), until_ms: now + left_ms * WAITS };
}

/** The widest first: /16, /24 and the address, or /32, /48 and /64 of IPv6. Callers without an address share one. */
function networksOf(ip: string): string[] {
  const [address = ''] = ip.split('%');
  return isIP(address) === 0 ? ['unknown'] : [ipRegion(address), ipSubnet(address), ipGroup(address)];
}
