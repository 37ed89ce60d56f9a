import type { Pool } from 'pg';
import { cursorTooOld } from '../errors.ts';
import { type Horizon, PAGE_EVENTS, readFloor, readPage } from '../store/event-log.ts';
import type { Position } from './cursor.ts';
import type { Batch, End, EventTail } from './event-tail.ts';
import { isAtLeast, type Snapshot } from './snapshot.ts';

/** A part of the log: of what is visible in `upTo` and not in `seen`, the next events by ID. */
export interface Part extends Batch {
  /** No more of it come. */
  readonly whole: boolean;
}

/** A reader has something at least this often. */
const SILENT_MS = 10_000;

/**
 * Reads the log from a position (none: from now) for as long as the signal lets it. While it is behind it reads pages
 * of its own; at the end of the log it shares what the tail finds. One that falls too far behind the tail reads pages
 * again: nothing is queued for it.
 *
 * @throws CURSOR_TOO_OLD
 */
export async function* readLog(
  db: Pool,
  tail: EventTail,
  start: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  const leave = tail.enter();
  try {
    let end = await tail.end();
    let position = start ?? { seen: end.seen };
    while (!signal.aborted) {
      yield* catchUp(db, position, end.seen, signal);
      position = { seen: yield* follow(tail, end, signal) };
      if (!signal.aborted) end = await tail.end();
    }
  } finally {
    leave();
  }
}

/** Gives what the tail finds after `end`, and returns what was seen when that is kept no longer. */
async function* follow(
  tail: EventTail,
  end: End,
  signal: AbortSignal,
): AsyncGenerator<Part, Snapshot, undefined> {
  let { seen, next } = end;
  let givenAt_ms = performance.now();
  while (!signal.aborted) {
    const batch = tail.batch(next);
    if (batch === 'gone') break;
    if (batch !== undefined) {
      next++;
      seen = batch.upTo;
      yield { ...batch, whole: true };
      givenAt_ms = performance.now();
      continue;
    }
    const silent_ms = performance.now() - givenAt_ms;
    if (silent_ms < SILENT_MS) {
      await tail.changed(SILENT_MS - silent_ms, signal);
      continue;
    }
    const last = tail.last();
    if (last?.next === next) seen = last.seen;
    yield nothing(seen);
    givenAt_ms = performance.now();
  }
  return seen;
}

/** Gives all that is visible in `upTo` after a position, and at least one part. */
async function* catchUp(
  db: Pool,
  { seen, page }: Position,
  upTo: Snapshot,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  if (!isAtLeast(upTo, page?.upTo ?? seen)) throw cursorTooOld(); // it is from a server that was ahead of this one
  let from = seen;
  if (page !== undefined) {
    yield* pages(db, seen, page.upTo, page.after, signal);
    from = page.upTo;
  }
  const { floor, removed } = await readFloor(db, from);
  requireAllThere(removed, from, -1n);
  if (floor === undefined) yield nothing(upTo);
  else yield* pages(db, from, upTo, String(floor - 1n), signal);
}

async function* pages(
  db: Pool,
  seen: Snapshot,
  upTo: Snapshot,
  first: string,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  let after = first;
  let whole = false;
  while (!whole && !signal.aborted) {
    const { events, removed } = await readPage(db, seen, upTo, after);
    requireAllThere(removed, seen, BigInt(after));
    whole = events.length < PAGE_EVENTS;
    after = events.at(-1)?.id ?? after;
    yield { seen, upTo, events, whole };
  }
}

/** Whether an event with a higher ID than `after` can have been removed that was not seen. */
function requireAllThere({ xact_id, event_id }: Horizon, seen: Snapshot, after: bigint): void {
  if (xact_id >= seen.xmin && event_id > after) throw cursorTooOld();
}

function nothing(seen: Snapshot): Part {
  return { seen, upTo: seen, events: [], whole: true };
}
