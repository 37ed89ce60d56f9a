import type { Position } from './cursor.ts';
import { cursorTooOld } from './event-log-faults.ts';
import {
  type EventBatch,
  type EventTable,
  type Horizon,
  type LoggedEvent,
  PAGE_EVENTS,
} from './event-table.ts';
import type { EventTail, LogHead } from './event-tail.ts';
import { isAtLeast, type Snapshot } from './snapshot.ts';

/** The stored log, and the tail that follows its head. */
export interface EventLog<E extends LoggedEvent> {
  readonly table: Pick<EventTable<E>, 'floor' | 'page'>;
  readonly tail: EventTail<E>;
}

/** The next events by ID among those that became visible between two snapshots. */
export interface LogPage<E extends LoggedEvent> extends EventBatch<E> {
  /** Whether this is the last page for these snapshots. */
  readonly last: boolean;
}

export interface LogReader<E extends LoggedEvent> {
  /** Undefined: the reader begins with the next event. */
  readonly start: Position | undefined;
  /** Whether the reader wants an event. Only `silence_ms` depends on it: pages contain all events. */
  readonly wants: (event: E) => boolean;
  /**
   * After this long without a page that the reader wants, it gets an empty one with the position of the head, once the
   * tail has polled.
   */
  readonly silence_ms: number;
}

/** If the last successful poll is older, the database is not answering, and no empty pages are sent. */
const MAX_POLL_AGE_MS = 250;

/**
 * Reads the log until the signal aborts. A reader that is behind reads its own pages from the table; at the head it shares
 * the batches that the tail finds. A reader that falls too far behind the tail reads pages again: nothing is queued for it.
 *
 * @throws CURSOR_TOO_OLD
 */
export async function* readLog<E extends LoggedEvent>(
  { table, tail }: EventLog<E>,
  reader: LogReader<E>,
  signal: AbortSignal,
): AsyncGenerator<LogPage<E>, void, undefined> {
  const leave = tail.enter();
  try {
    let head = await tail.head();
    let position = reader.start ?? { seen: head.seen };
    while (!signal.aborted) {
      yield* catchUp(table, position, head.seen, signal);
      position = { seen: yield* follow(tail, head, reader, signal) };
      if (!signal.aborted) head = await tail.head();
    }
  } finally {
    leave();
  }
}

/** Yields the batches after `head`. Returns the last snapshot when the next batch is dropped. */
async function* follow<E extends LoggedEvent>(
  tail: EventTail<E>,
  head: LogHead,
  { wants, silence_ms }: LogReader<E>,
  signal: AbortSignal,
): AsyncGenerator<LogPage<E>, Snapshot, undefined> {
  let { seen, next } = head;
  let sentAt_ms = performance.now();
  let sentPolls = tail.state().polls;
  while (!signal.aborted) {
    const batch = tail.batch(next);
    if (batch === 'dropped') break;
    if (batch !== undefined) {
      next++;
      seen = batch.upTo;
      yield { ...batch, last: true };
      if (batch.events.some(wants)) sentAt_ms = performance.now();
      continue;
    }
    const { polls, age_ms } = tail.state();
    if (polls === sentPolls || age_ms > MAX_POLL_AGE_MS) {
      await tail.polled(signal); // an empty page would have nothing new
      continue;
    }
    const silent_ms = performance.now() - sentAt_ms;
    if (silent_ms < silence_ms) {
      await tail.changed(silence_ms - silent_ms, signal);
      continue;
    }
    const lastHead = tail.lastHead();
    if (lastHead?.next === next) seen = lastHead.seen;
    sentPolls = polls;
    yield emptyPage(seen);
    sentAt_ms = performance.now();
  }
  return seen;
}

/** Yields the events after a position that are visible in `upTo`: at least one page. */
async function* catchUp<E extends LoggedEvent>(
  table: EventLog<E>['table'],
  { seen, page }: Position,
  upTo: Snapshot,
  signal: AbortSignal,
): AsyncGenerator<LogPage<E>, void, undefined> {
  if (!isAtLeast(upTo, page?.upTo ?? seen)) throw cursorTooOld(); // the cursor is from a server that was ahead of this one
  let from = seen;
  if (page !== undefined) {
    yield* readPages(table, seen, page.upTo, page.after, signal);
    from = page.upTo;
  }
  const { floor, removed } = await table.floor(from);
  requireNoneRemoved(removed, from, -1n);
  if (floor === undefined) yield emptyPage(upTo);
  else yield* readPages(table, from, upTo, String(floor - 1n), signal);
}

async function* readPages<E extends LoggedEvent>(
  table: EventLog<E>['table'],
  seen: Snapshot,
  upTo: Snapshot,
  first: string,
  signal: AbortSignal,
): AsyncGenerator<LogPage<E>, void, undefined> {
  let after = first;
  let last = false;
  while (!last && !signal.aborted) {
    const { events, removed } = await table.page(seen, upTo, after);
    requireNoneRemoved(removed, seen, BigInt(after));
    last = events.length < PAGE_EVENTS;
    after = events.at(-1)?.id ?? after;
    yield { seen, upTo, events, last };
  }
}

/** @throws CURSOR_TOO_OLD if an event with a higher ID than `after` may have been removed unseen */
function requireNoneRemoved({ xact_id, event_id }: Horizon, seen: Snapshot, after: bigint): void {
  if (xact_id >= seen.xmin && event_id > after) throw cursorTooOld();
}

function emptyPage(seen: Snapshot): LogPage<never> {
  return { seen, upTo: seen, events: [], last: true };
}
