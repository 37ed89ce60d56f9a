import { setInterval } from 'node:timers/promises';
import { isOutage } from '@gatehouse/kit/fault';
import type { ListSecurityEventsRequest, SecurityEvent } from '@gatehouse/proto/auth';
import { MAX_PAGE, PATIENCE, type Peer } from './peer.ts';

export interface FollowOptions {
  readonly peer: Peer;
  readonly filter: Partial<ListSecurityEventsRequest>;
  /** The ID of the last event that was printed. */
  readonly after: string;
  readonly print: (event: SecurityEvent) => void;
  readonly signal: AbortSignal;
}

const EVERY_MS = 1_000;
/**
 * An event has its ID before its transaction commits, so that one may come to light after others with
 * greater IDs. Each look therefore goes back further than transactions last, and passes over what is known.
 */
const LATE_MS = 15_000n;
/** The milliseconds in a snowflake. */
const MS_SHIFT = 22n;

/** Prints each event that happens, until the signal. A service that is away is waited for. */
export async function follow({ peer, filter, after, print, signal }: FollowOptions): Promise<void> {
  let newest = BigInt(after);
  let known: Set<string> | undefined;
  let away = false;

  for await (const _ of setInterval(EVERY_MS, undefined, { signal })) {
    const found = await look();
    if (found === undefined) continue;
    for (const event of found) {
      const id = BigInt(event.id);
      // At the first look, what is not after the last printed one is what was not asked for.
      if (known === undefined ? id > newest : !known.has(event.id)) print(event);
    }
    known = new Set(found.map(({ id }) => id));
    newest = BigInt(found.at(-1)?.id ?? newest);
  }

  async function look(): Promise<SecurityEvent[] | undefined> {
    try {
      const late = newest - (LATE_MS << MS_SHIFT);
      const found = await allAfter(peer, filter, late < 0n ? 0n : late, signal);
      away = false;
      return found;
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (!away) process.stderr.write('The auth service does not answer; waiting for it.\n');
      away = true;
      return undefined;
    }
  }
}

async function allAfter(
  peer: Peer,
  filter: Partial<ListSecurityEventsRequest>,
  id: bigint,
  signal: AbortSignal,
): Promise<SecurityEvent[]> {
  const found: SecurityEvent[] = [];
  for (;;) {
    const request = { ...filter, after: found.at(-1)?.id ?? String(id), limit: MAX_PAGE };
    const { events } = await peer.listSecurityEvents(request, { ...PATIENCE, signal });
    found.push(...events);
    if (events.length < MAX_PAGE) return found;
  }
}
