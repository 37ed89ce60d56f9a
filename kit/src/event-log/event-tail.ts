import { unavailable } from '../fault.ts';
import { charactersOf, type EventTable, type LoggedEvent } from './event-table.ts';
import type { Snapshot } from './snapshot.ts';

/** Events of one moment: all that are visible in `upTo` and were not in `seen`. */
export interface Batch<E extends LoggedEvent> {
  readonly seen: Snapshot;
  readonly upTo: Snapshot;
  readonly events: readonly E[];
}

/** The end of the log: batches from number `next` on come after what is visible in `seen`. */
export interface End {
  readonly seen: Snapshot;
  readonly next: number;
}

/** Follows the end of the log for all readers of this process, and asks nothing while there are none. */
export interface EventTail<E extends LoggedEvent> {
  /** Counts a reader, who may then ask for the rest. Returns how it leaves. */
  enter(): () => void;
  /** The end, as it is now or later. @throws what asking for it throws */
  end(): Promise<End>;
  /** A batch by its number; undefined: there is none yet; gone: it is kept no longer. */
  batch(number: number): Batch<E> | 'gone' | undefined;
  /** Settles when there may be a further batch, after `ms`, or when the signal aborts. @throws what asking throws */
  changed(ms: number, signal: AbortSignal): Promise<void>;
  /** The end as it was found last. */
  last(): End | undefined;
  /** Events were written in this process: asks at once. */
  wake(): void;
  /** Its readers, how long ago the end was found last while there are any, and how many events were found in all. */
  state(): { readonly readers: number; readonly age_ms: number; readonly found: number };
  /** Settles once nothing is being asked. No reader is left. */
  close(): Promise<void>;
}

/** How soon events are seen that another replica wrote. */
const EVERY_MS = 20;
/** And the first after a while without any. */
const QUIET_EVERY_MS = 50;
const QUIET_AFTER_MS = 1_000;
/** However much is written, it asks no oftener. */
const AT_LEAST_MS = 4;
/** Longer than a statement may take. */
const ANSWER_WITHIN_MS = 12_000;
/** Events that are kept for readers that are a little behind. */
const KEPT_CHARACTERS = 4 * 1024 * 1024;
/** After so long a sleep of this process, events may have been removed meanwhile. Readers then look for that. */
const ASLEEP_MS = 30_000;

export function eventTail<E extends LoggedEvent>({
  current,
  news,
}: Pick<EventTable<E>, 'current' | 'news'>): EventTail<E> {
  const batches: Batch<E>[] = [];
  const waiting = new Set<(error?: unknown) => void>();
  let asking: ((error?: unknown) => void)[] = [];
  let kept = 0;
  let next = 0;
  let seen: Snapshot | undefined;
  let askedAt_ms = 0;
  let readers = 0;
  let foundAt_ms = 0;
  let foundEvents = 0;
  let quietSince_ms = 0;
  let running: Promise<void> | undefined;
  let woken = false;
  let hurry: (() => void) | undefined;

  async function follow(): Promise<void> {
    while (readers > 0) {
      woken = false;
      const asked = asking;
      asking = [];
      try {
        await ask();
      } catch (error) {
        for (const tell of [...asked, ...asking.splice(0), ...waiting]) tell(error);
        break;
      }
      for (const tell of asked) tell();
      await pause();
    }
    forget();
    running = undefined; // not later: a reader that comes now begins anew
  }

  async function ask(): Promise<void> {
    const startedAt_ms = performance.now();
    if (seen !== undefined && startedAt_ms - askedAt_ms > ASLEEP_MS) forget();
    askedAt_ms = startedAt_ms;
    const before = seen;
    if (before === undefined) {
      seen = await soon(current());
      foundAt_ms = performance.now();
      quietSince_ms = foundAt_ms;
    } else {
      const found = await soon(news(before));
      seen = found.seen;
      foundAt_ms = performance.now();
      foundEvents += found.events?.length ?? 0;
      if (found.events?.length === 0) return;
      quietSince_ms = foundAt_ms;
      if (found.events === undefined) drop(batches.length, 1);
      else keep({ seen: before, upTo: found.seen, events: found.events });
    }
    for (const tell of [...waiting]) tell();
  }

  function keep(batch: Batch<E>): void {
    batches.push(batch);
    next++;
    kept += charactersIn(batch);
    let many = 0;
    for (let left = kept; left > KEPT_CHARACTERS; many++) left -= charactersIn(batches[many] as Batch<E>);
    drop(many, 0);
  }

  /** Forgets the oldest batches; with `skipped`, there was one more that was never kept. Readers catch up by themselves. */
  function drop(many: number, skipped: number): void {
    for (const batch of batches.splice(0, many)) kept -= charactersIn(batch);
    next += skipped;
  }

  function forget(): void {
    drop(batches.length, 1);
    seen = undefined;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const isQuiet = foundAt_ms - quietSince_ms >= QUIET_AFTER_MS;
      const timer = setTimeout(done, isQuiet ? QUIET_EVERY_MS : EVERY_MS);
      function done(): void {
        hurry = undefined;
        resolve();
      }
      hurry = () => {
        hurry = undefined;
        clearTimeout(timer);
        setTimeout(done, Math.max(0, askedAt_ms + AT_LEAST_MS - performance.now()));
      };
      if (woken || readers === 0) hurry();
    });
  }

  function wake(): void {
    woken = true;
    hurry?.();
  }

  function last(): End | undefined {
    return seen && { seen, next };
  }

  return {
    enter: () => {
      readers++;
      return () => {
        readers--;
        if (readers === 0) hurry?.();
      };
    },
    end: async () => {
      await new Promise<void>((resolve, reject) => {
        asking.push((error) => (error === undefined ? resolve() : reject(error)));
        wake();
        running ??= follow();
      });
      const found = last();
      if (found === undefined) throw new Error('the end of the log is not known');
      return found;
    },
    batch: (number) => {
      if (number >= next) return undefined;
      return batches[number - (next - batches.length)] ?? 'gone';
    },
    changed: (ms, signal) =>
      new Promise((resolve, reject) => {
        const tell = (error?: unknown): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', abort);
          waiting.delete(tell);
          if (error === undefined) resolve();
          else reject(error);
        };
        const abort = (): void => tell();
        const timer = setTimeout(tell, ms);
        signal.addEventListener('abort', abort);
        waiting.add(tell);
        if (signal.aborted) tell();
      }),
    last,
    wake,
    state: () => ({
      readers,
      age_ms: running === undefined ? 0 : performance.now() - foundAt_ms,
      found: foundEvents,
    }),
    close: async () => {
      await running;
    },
  };
}

/** A connection that hangs fails like one that breaks: readers go on at another replica. */
async function soon<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(unavailable(new Error('the end of the event log cannot be read'))),
    ANSWER_WITHIN_MS,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function charactersIn({ events }: Batch<LoggedEvent>): number {
  return events.reduce((sum, event) => sum + charactersOf(event), 0);
}
