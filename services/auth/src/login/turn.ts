import { isIP } from 'node:net';
import { ipGroup, ipRegion, ipSubnet } from '@gatehouse/kit/client-ip';
import type { Turn } from '@gatehouse/kit/concurrency';
import type { Call } from '@gatehouse/kit/rpc';

/** The caller of work that waits for its turn. */
export type WaitingCall = Pick<Call, 'signal' | 'due_ms'> & { readonly caller: Pick<Call['caller'], 'ip'> };

/** After that, or shortly before its deadline, a caller is refused: it can come again, and others are served. */
const MAX_WAIT_MS = 6_000;
const BEFORE_DEADLINE_MS = 2_000;

/** A caller's turn: networks take turns, so that whoever fills a line delays their own network only. */
export function turnOf({ caller, due_ms }: WaitingCall): Turn {
  return {
    from: networksOf(caller.ip),
    until_ms: Math.min(performance.now() + MAX_WAIT_MS, due_ms - BEFORE_DEADLINE_MS),
  };
}

/** The widest first: /16, /24 and the address, or /32, /48 and /64 of IPv6. Callers without an address share one. */
function networksOf(ip: string): string[] {
  const [address = ''] = ip.split('%');
  return isIP(address) === 0 ? ['unknown'] : [ipRegion(address), ipSubnet(address), ipGroup(address)];
}
