import { unavailable } from '../fault.ts';
import { BatchBuffer } from './batch-buffer.ts';
import type { EventBatch, EventTable, LoggedEvent } from './event-table.ts';
import type { Snapshot } from './snapshot.ts';

/** The head of the log: the batches from number `next` on follow the events that are visible in `seen`. */
export interface LogHead {
  readonly seen: Snapshot;
  readonly next: number;
}

/** The interval of polls, for events of other replicas. */
const POLL_MS = 20;
/** The interval after a second without events. */
const QUIET_POLL_MS = 50;
const QUIET_AFTER_MS = 1_000;
/** Minimum time between two polls. */
const MIN_POLL_MS = 4;
/** Longer than a statement may take. */
const POLL_TIMEOUT_MS = 12_000;
/** If the whole process was paused for longer, events may have been removed meanwhile. Readers then check for it. */
const ASLEEP_MS = 30_000;

type Settle = (error?: unknown) => void;

/** Follows the head of the log for all readers of this process. Polls only while there are readers. */
export class EventTail<E extends LoggedEvent> {
  readonly #table: Pick<EventTable<E>, 'current' | 'newEvents'>;
  readonly #batches = new BatchBuffer<E>();
  /** Readers that wait for a batch. */
  readonly #waiting = new Set<Settle>();
  /** Readers that wait for the next poll. */
  #awaitingPoll: Settle[] = [];
  #seen: Snapshot | undefined;
  #readers = 0;
  #polledAt_ms = 0;
  #foundAt_ms = 0;
  #quietSince_ms = 0;
  #foundEvents = 0;
  #running: Promise<void> | undefined;
  #woken = false;
  /** Ends the pause between two polls. */
  #endPause: (() => void) | undefined;

  constructor(table: Pick<EventTable<E>, 'current' | 'newEvents'>) {
    this.#table = table;
  }

  /** Counts a reader, which may then call the other methods. Call the returned function when it leaves. */
  enter(): () => void {
    this.#readers++;
    return () => {
      this.#readers--;
      if (this.#readers === 0) this.#endPause?.();
    };
  }

  /** Polls, and returns the head of the log. @throws if polling fails */
  async head(): Promise<LogHead> {
    await new Promise<void>((resolve, reject) => {
      this.#awaitingPoll.push((error) => (error === undefined ? resolve() : reject(error)));
      this.wake();
      this.#running ??= this.#follow();
    });
    const head = this.lastHead();
    if (head === undefined) throw new Error('the head of the event log is not known');
    return head;
  }

  /** The head as of the last poll. */
  lastHead(): LogHead | undefined {
    return this.#seen && { seen: this.#seen, next: this.#batches.next };
  }

  /** Returns a batch by number; undefined if it does not exist yet, 'dropped' if it is no longer kept. */
  batch(number: number): EventBatch<E> | 'dropped' | undefined {
    return this.#batches.get(number);
  }

  /** Settles when there may be a further batch, after `ms`, or when the signal aborts. @throws if polling fails */
  changed(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: unknown): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(settle);
        if (error === undefined) resolve();
        else reject(error);
      };
      const abort = (): void => settle();
      const timer = setTimeout(settle, ms);
      signal.addEventListener('abort', abort);
      this.#waiting.add(settle);
      if (signal.aborted) settle();
    });
  }

  /** Polls at once. For events that this process wrote. */
  readonly wake = (): void => {
    this.#woken = true;
    this.#endPause?.();
  };

  /** Number of readers, time since the last successful poll while there are any, and number of events found so far. */
  readonly state = (): { readonly readers: number; readonly age_ms: number; readonly found: number } => ({
    readers: this.#readers,
    age_ms: this.#running === undefined ? 0 : performance.now() - this.#foundAt_ms,
    found: this.#foundEvents,
  });

  /** Settles when no poll is running. Call it when no reader is left. */
  readonly close = async (): Promise<void> => {
    await this.#running;
  };

  async #follow(): Promise<void> {
    while (this.#readers > 0) {
      this.#woken = false;
      const polled = this.#awaitingPoll;
      this.#awaitingPoll = [];
      try {
        await this.#poll();
      } catch (error) {
        for (const settle of [...polled, ...this.#awaitingPoll.splice(0), ...this.#waiting]) settle(error);
        break;
      }
      for (const settle of polled) settle();
      await this.#pause();
    }
    this.#forget();
    this.#running = undefined; // in the same turn: a reader that enters now starts a new loop
  }

  async #poll(): Promise<void> {
    const startedAt_ms = performance.now();
    if (this.#seen !== undefined && startedAt_ms - this.#polledAt_ms > ASLEEP_MS) this.#forget();
    this.#polledAt_ms = startedAt_ms;
    const before = this.#seen;
    if (before === undefined) {
      this.#seen = await withinPollTimeout(this.#table.current());
      this.#foundAt_ms = performance.now();
      this.#quietSince_ms = this.#foundAt_ms;
    } else {
      const { seen, events } = await withinPollTimeout(this.#table.newEvents(before));
      this.#seen = seen;
      this.#foundAt_ms = performance.now();
      this.#foundEvents += events?.length ?? 0;
      if (events?.length === 0) return;
      this.#quietSince_ms = this.#foundAt_ms;
      if (events === undefined) this.#batches.skip();
      else this.#batches.add({ seen: before, upTo: seen, events });
    }
    for (const settle of [...this.#waiting]) settle();
  }

  /** Starts over: readers catch up by themselves. */
  #forget(): void {
    this.#batches.skip();
    this.#seen = undefined;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const isQuiet = this.#foundAt_ms - this.#quietSince_ms >= QUIET_AFTER_MS;
      const done = (): void => {
        this.#endPause = undefined;
        resolve();
      };
      const timer = setTimeout(done, isQuiet ? QUIET_POLL_MS : POLL_MS);
      this.#endPause = () => {
        this.#endPause = undefined;
        clearTimeout(timer);
        setTimeout(done, Math.max(0, this.#polledAt_ms + MIN_POLL_MS - performance.now()));
      };
      if (this.#woken || this.#readers === 0) this.#endPause();
    });
  }
}

/** Fails if the database hangs, as it would if the connection broke: readers continue at another replica. */
async function withinPollTimeout<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(unavailable(new Error('the head of the event log cannot be read'))),
    POLL_TIMEOUT_MS,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
