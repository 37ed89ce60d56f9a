import type { AnnouncementChannel } from './announcements.ts';
import { BatchBuffer } from './batch-buffer.ts';
import type { EventBatch, EventTable, LoggedEvent } from './event-table.ts';
import { PollPace } from './poll-pace.ts';
import type { Snapshot } from './snapshot.ts';
import { withinPollTimeout } from './within-poll-timeout.ts';

/** The head of the log: the batches from number `next` on follow the events that are visible in `seen`. */
export interface LogHead {
  readonly seen: Snapshot;
  readonly next: number;
}

/** Minimum time between two polls. */
const MIN_POLL_MS = 4;
/** If the whole process was paused for longer, events may have been removed meanwhile. Readers then check for it. */
const ASLEEP_MS = 30_000;

type Settle = (error?: unknown) => void;

interface TailState {
  readonly readers: number;
  /** Time since the last successful poll; 0 without readers. */
  readonly age_ms: number;
  /** Successful polls so far. */
  readonly polls: number;
  /** Events found so far. */
  readonly found: number;
  readonly is_listening: boolean;
  /** The interval of polls, unless something prompts one. */
  readonly interval_ms: number;
}

export interface EventTailOptions<E extends LoggedEvent> {
  readonly table: Pick<EventTable<E>, 'current' | 'newEvents'>;
  readonly announcements: AnnouncementChannel;
  /** Overrides the interval of polls that are only for lost announcements. */
  readonly announced_poll_ms?: number;
}

/**
 * Follows the head of the log for all readers of this process. Polls and listens for announcements only while there are
 * readers.
 */
export class EventTail<E extends LoggedEvent> {
  readonly #table: Pick<EventTable<E>, 'current' | 'newEvents'>;
  readonly #announcements: AnnouncementChannel;
  readonly #pace: PollPace;
  readonly #batches = new BatchBuffer<E>();
  /** Readers that wait for a batch. */
  readonly #waiting = new Set<Settle>();
  /** Readers that wait for the end of a poll. */
  readonly #waitingForPollEnd = new Set<Settle>();
  /** Readers that wait for a poll that has not begun yet. */
  #waitingForNextPoll: Settle[] = [];
  #seen: Snapshot | undefined;
  #readers = 0;
  #polledAt_ms = 0;
  #foundAt_ms = 0;
  #polls = 0;
  #interval_ms = 0;
  #foundEvents = 0;
  #running: Promise<void> | undefined;
  #woken = false;
  /** Ends the pause between two polls. */
  #endPause: (() => void) | undefined;

  constructor({ table, announcements, announced_poll_ms }: EventTailOptions<E>) {
    this.#table = table;
    this.#announcements = announcements;
    this.#pace = new PollPace({
      isListening: () => announcements.isListening(),
      onUnannounced: () => announcements.reconnect(),
      announced_poll_ms,
    });
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
      this.#waitingForNextPoll.push((error) => (error === undefined ? resolve() : reject(error)));
      this.#pollNow();
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
    return settled(this.#waiting, signal, ms);
  }

  /** Settles when a poll ends, with or without events, or when the signal aborts. @throws if polling fails */
  polled(signal: AbortSignal): Promise<void> {
    return settled(this.#waitingForPollEnd, signal);
  }

  /** Polls at once, and has other processes poll. For events that this process has committed. */
  readonly wake = (): void => {
    this.#pollNow();
    this.#announcements.announce();
  };

  /** Has all processes poll, as an event would. Call it after giving a client a snapshot that a reader must pass. */
  readonly expectReader = (): void => {
    this.#onAnnouncement();
    this.#announcements.announce();
  };

  readonly state = (): TailState => ({
    readers: this.#readers,
    age_ms: this.#running === undefined ? 0 : performance.now() - this.#foundAt_ms,
    polls: this.#polls,
    found: this.#foundEvents,
    is_listening: this.#announcements.isListening(),
    interval_ms: this.#interval_ms,
  });

  /** Settles when nothing runs. Call it when no reader is left. */
  readonly close = async (): Promise<void> => {
    await this.#running;
    await this.#announcements.close();
  };

  #pollNow(): void {
    this.#woken = true;
    this.#endPause?.();
  }

  readonly #onAnnouncement = (): void => {
    const wasActive = this.#pace.isActive();
    this.#pace.expectEvents();
    if (!wasActive) this.#pollNow();
  };

  async #follow(): Promise<void> {
    this.#pace.expectEvents();
    this.#announcements.listen(this.#onAnnouncement);
    while (this.#readers > 0) {
      const isPrompted = this.#woken;
      this.#woken = false;
      const polled = this.#waitingForNextPoll;
      this.#waitingForNextPoll = [];
      try {
        await this.#poll(isPrompted);
      } catch (error) {
        const awaiting = [...polled, ...this.#waitingForNextPoll.splice(0)];
        for (const settle of [...awaiting, ...this.#waiting, ...this.#waitingForPollEnd]) settle(error);
        break;
      }
      for (const settle of [...polled, ...this.#waitingForPollEnd]) settle();
      await this.#pause();
    }
    this.#announcements.stop();
    this.#forget();
    this.#running = undefined; // in the same turn: a reader that enters now starts a new loop
  }

  async #poll(isPrompted: boolean): Promise<void> {
    const startedAt_ms = performance.now();
    if (this.#seen !== undefined && startedAt_ms - this.#polledAt_ms > ASLEEP_MS) this.#forget();
    this.#polledAt_ms = startedAt_ms;
    const before = this.#seen;
    if (before === undefined) {
      this.#seen = await withinPollTimeout(this.#table.current());
      this.#foundAt_ms = performance.now();
      this.#polls++;
    } else {
      const { seen, events } = await withinPollTimeout(this.#table.newEvents(before));
      this.#seen = seen;
      this.#foundAt_ms = performance.now();
      this.#polls++;
      this.#foundEvents += events?.length ?? 0;
      if (events?.length === 0) return;
      this.#pace.found(isPrompted);
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
      const done = (): void => {
        this.#endPause = undefined;
        resolve();
      };
      this.#interval_ms = this.#pace.interval_ms();
      const timer = setTimeout(done, this.#interval_ms);
      this.#endPause = () => {
        this.#endPause = undefined;
        clearTimeout(timer);
        setTimeout(done, Math.max(0, this.#polledAt_ms + MIN_POLL_MS - performance.now()));
      };
      if (this.#woken || this.#readers === 0) this.#endPause();
    });
  }
}

/** Waits in a set until it is settled from there, after `ms`, or when the signal aborts. */
function settled(waiting: Set<Settle>, signal: AbortSignal, ms?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      waiting.delete(settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    const abort = (): void => settle();
    const timer = ms === undefined ? undefined : setTimeout(settle, ms);
    signal.addEventListener('abort', abort);
    waiting.add(settle);
    if (signal.aborted) settle();
  });
}
