import { readCursor, writeCursor } from '@gatehouse/kit/event-log/cursor';
import { cursorTooOld } from '@gatehouse/kit/event-log/event-log-faults';
import { requireSnapshot } from '@gatehouse/kit/event-log/snapshot';
import { unavailable } from '@gatehouse/kit/fault';

/** A log in memory. Each event has its own transaction; the first one is "1". */
export interface ScriptedLog<E> {
  /** Events that are written together are sent in one response. */
  write(...events: readonly E[]): void;
  readonly events: readonly E[];
  /** The next event's transaction. */
  next(): number;
  /** The cursor at the end. */
  cursor(): string;
  /** Makes the log refuse readers, or be silent, until it `answers` again. */
  set(state: State): void;
  /** Makes all earlier cursors too old. */
  forget(): void;
  read(cursor: string | null | undefined, silence_ms: number, signal: AbortSignal): AsyncIterable<Part<E>>;
}

type State = 'answers' | 'refuses' | 'hangs';

interface Part<E> {
  readonly events: E[];
  readonly cursor: string;
}

export function scriptedLog<E>(): ScriptedLog<E> {
  const events: E[] = [];
  let state: State = 'answers';
  /** Unused event numbers below the cursors that are not too old. */
  let skipped = 0;
  let oldest = 0;
  let change = Promise.withResolvers<void>();

  function changed(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  function cursorAt(count: number): string {
    return writeCursor({ seen: requireSnapshot(`${count + skipped + 1}:${count + skipped + 1}:`) });
  }

  function countAt(cursor: string | null | undefined): number {
    if (cursor == null) return events.length;
    const count = Number(readCursor(cursor).seen.xmin) - skipped - 1;
    if (count < oldest) throw cursorTooOld();
    return count;
  }

  async function* read(
    cursor: string | null | undefined,
    silence_ms: number,
    signal: AbortSignal,
  ): AsyncGenerator<Part<E>> {
    let count = countAt(cursor);
    const forgotten = skipped;
    let isNew = true;
    while (!signal.aborted) {
      if (state === 'refuses') throw unavailable(new Error('scripted'));
      if (skipped > forgotten) throw cursorTooOld();
      if (state === 'answers' && (isNew || count < events.length)) {
        const fresh = events.slice(count);
        count = events.length;
        yield { events: fresh, cursor: cursorAt(count) };
      }
      isNew = !(await within(change.promise, silence_ms, signal));
    }
  }

  return {
    events,
    write: (...more) => {
      events.push(...more);
      changed();
    },
    cursor: () => cursorAt(events.length),
    next: () => events.length + skipped + 1,
    set: (next) => {
      state = next;
      changed();
    },
    forget: () => {
      skipped++;
      oldest = events.length;
      changed();
    },
    read,
  };
}

/** False after the timeout. */
async function within(what: Promise<void>, ms: number, signal: AbortSignal): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => over.resolve(false), ms);
  const abort = (): void => over.resolve(false);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([what.then(() => true), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
