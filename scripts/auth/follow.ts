import { setInterval } from 'node:timers/promises';
import { isOutage } from '@gatehouse/kit/fault';
import type { ListSecurityEventsRequest, SecurityEvent } from '@gatehouse/proto/auth';
import { MAX_PAGE, PATIENCE, type Peer } from './peer.ts';

export interface FollowOptions {
  readonly peer: Peer;
  /** Where that is. */
  readonly address: string;
  readonly filter: Partial<ListSecurityEventsRequest>;
  /** The ID of the last event that was printed. */
  readonly after: string;
  readonly print: (event: SecurityEvent) => void;
  readonly signal: AbortSignal;
}

const EVERY_MS = 1_000;
/**
 * An event gets its ID before its transaction commits, so it may become visible after events with greater IDs. Every
 * query therefore goes back further than any transaction takes, and skips events that were printed.
 */
const LATE_MS = 15_000n;
/** The bits below the milliseconds of a snowflake. */
const MS_SHIFT = 22n;

/** Prints new events until the signal. It waits for a service that is away. */
export async function follow({ peer, address, filter, after, print, signal }: FollowOptions): Promise<void> {
  let newest = BigInt(after);
  let known: Set<string> | undefined;
  let away = false;

  for await (const _ of setInterval(EVERY_MS, undefined, { signal })) {
    const found = await look();
    if (found === undefined) continue;
    for (const event of found) {
      const id = BigInt(event.id);
      // The first query also finds older events, which were not requested.
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
      if (!away) process.stderr.write(`${address}: The auth service does not answer; waiting for it.\n`);
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
