import type { Position } from './cursor.ts';
import { cursorTooOld } from './event-log-faults.ts';
import { type EventTable, type Horizon, type LoggedEvent, PAGE_EVENTS } from './event-table.ts';
import type { Batch, End, EventTail } from './event-tail.ts';
import { isAtLeast, type Snapshot } from './snapshot.ts';

/** A log, as it is stored and as its end is followed. */
export interface EventLog<E extends LoggedEvent> {
  readonly table: Pick<EventTable<E>, 'floor' | 'page'>;
  readonly tail: EventTail<E>;
}

/** A part of the log: of what is visible in `upTo` and not in `seen`, the next events by ID. */
export interface Part<E extends LoggedEvent> extends Batch<E> {
  /** No more of it come. */
  readonly whole: boolean;
}

export interface Reader<E extends LoggedEvent> {
  /** None: it begins with what comes from now on. */
  readonly start: Position | undefined;
  /** Which events it is after. The others are given too. */
  readonly wants: (event: E) => boolean;
  /** After so long without a part that it wants, it is given one without events that says how far the log is. */
  readonly silence_ms: number;
}

/** While the end was not found for longer, nobody is told that there was nothing: the database does not answer. */
const FRESH_MS = 250;
const LOOK_EVERY_MS = 20;

/**
 * Reads the log for as long as the signal lets it. While it is behind it reads pages of its own; at the end of the log it
 * shares what the tail finds. One that falls too far behind the tail reads pages again: nothing is queued for it.
 *
 * @throws CURSOR_TOO_OLD
 */
export async function* readLog<E extends LoggedEvent>(
  { table, tail }: EventLog<E>,
  reader: Reader<E>,
  signal: AbortSignal,
): AsyncGenerator<Part<E>, void, undefined> {
  const leave = tail.enter();
  try {
    let end = await tail.end();
    let position = reader.start ?? { seen: end.seen };
    while (!signal.aborted) {
      yield* catchUp(table, position, end.seen, signal);
      position = { seen: yield* follow(tail, end, reader, signal) };
      if (!signal.aborted) end = await tail.end();
    }
  } finally {
    leave();
  }
}

/** Gives what the tail finds after `end`, and returns what was seen when that is kept no longer. */
async function* follow<E extends LoggedEvent>(
  tail: EventTail<E>,
  end: End,
  { wants, silence_ms }: Reader<E>,
  signal: AbortSignal,
): AsyncGenerator<Part<E>, Snapshot, undefined> {
  let { seen, next } = end;
  let givenAt_ms = performance.now();
  while (!signal.aborted) {
    const batch = tail.batch(next);
    if (batch === 'gone') break;
    if (batch !== undefined) {
      next++;
      seen = batch.upTo;
      yield { ...batch, whole: true };
      if (batch.events.some(wants)) givenAt_ms = performance.now();
      continue;
    }
    const silent_ms = performance.now() - givenAt_ms;
    if (silent_ms < silence_ms) {
      await tail.changed(silence_ms - silent_ms, signal);
      continue;
    }
    if (tail.state().age_ms > FRESH_MS) {
      await tail.changed(LOOK_EVERY_MS, signal);
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
async function* catchUp<E extends LoggedEvent>(
  table: EventLog<E>['table'],
  { seen, page }: Position,
  upTo: Snapshot,
  signal: AbortSignal,
): AsyncGenerator<Part<E>, void, undefined> {
  if (!isAtLeast(upTo, page?.upTo ?? seen)) throw cursorTooOld(); // it is from a server that was ahead of this one
  let from = seen;
  if (page !== undefined) {
    yield* pages(table, seen, page.upTo, page.after, signal);
    from = page.upTo;
  }
  const { floor, removed } = await table.floor(from);
  requireAllThere(removed, from, -1n);
  if (floor === undefined) yield nothing(upTo);
  else yield* pages(table, from, upTo, String(floor - 1n), signal);
}

async function* pages<E extends LoggedEvent>(
  table: EventLog<E>['table'],
  seen: Snapshot,
  upTo: Snapshot,
  first: string,
  signal: AbortSignal,
): AsyncGenerator<Part<E>, void, undefined> {
  let after = first;
  let whole = false;
  while (!whole && !signal.aborted) {
    const { events, removed } = await table.page(seen, upTo, after);
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

function nothing(seen: Snapshot): Part<never> {
  return { seen, upTo: seen, events: [], whole: true };
}
