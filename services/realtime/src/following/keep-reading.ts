import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';

/** What a log gives. */
export interface Response<E> {
  readonly events: readonly E[];
  readonly cursor: string;
}

export interface Reading<E> {
  /** For lines of the log. */
  readonly name: string;
  /** Asks for what comes after the cursor; without one, for what comes from now on. */
  readonly read: (cursor: string | undefined, signal: AbortSignal) => AsyncIterable<Response<E>>;
  /** Called for one response at a time. Before it settles, no further one is taken. */
  readonly take: (response: Response<E>) => Promise<void> | void;
  /** Events may have been missed: what was made of the log so far is void. The log goes on with the next response. */
  readonly onEventsLost: () => void;
  readonly log: Logger;
}

/** A log that is read for as long as the process runs. */
export interface Reader {
  /** How long ago it was heard of; while a response is being taken, 0. */
  age_ms(): number;
  close(): Promise<void>;
}

/** Much longer than the silence that is asked for: the connection hangs. */
const SILENT_TOO_LONG_MS = 2_000;
const LOOK_EVERY_MS = 250;
/** A service that starts at the same time, or has another replica, is there by then. */
const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 250;

/** Reads a log without end. After every failure it goes on from its last cursor, at any replica. */
export function keepReading<E>({ name, read, take, onEventsLost, log }: Reading<E>): Reader {
  const closing = new AbortController();
  let cursor: string | undefined;
  let heardAt_ms = performance.now();
  let startedAt_ms = heardAt_ms;
  let isTaking = false;
  let isLost = false;
  let attempt = new AbortController();
  const warn = throttledLog<unknown>((times, error) =>
    log.warn({ err: error, log: name, times }, 'the event log cannot be read; trying again'),
  );
  const complain = (error: unknown): void => {
    if (performance.now() - heardAt_ms > PATIENCE_MS) warn(error);
  };
  const watch = setInterval(() => {
    const silent_ms = performance.now() - Math.max(heardAt_ms, startedAt_ms);
    if (!isTaking && silent_ms > SILENT_TOO_LONG_MS) attempt.abort();
  }, LOOK_EVERY_MS);

  async function readOn(): Promise<void> {
    attempt = new AbortController();
    const signal = AbortSignal.any([attempt.signal, closing.signal]);
    startedAt_ms = performance.now();
    for await (const response of read(cursor, signal)) {
      heardAt_ms = performance.now();
      isTaking = true;
      try {
        // Now, and not when it was found: what was made meanwhile is void too.
        if (isLost) onEventsLost();
        isLost = false;
        await take(response);
      } finally {
        isTaking = false;
        heardAt_ms = performance.now();
      }
      cursor = response.cursor;
      if (closing.signal.aborted) return;
    }
    log.debug({ log: name, after_ms: performance.now() - startedAt_ms }, 'the event log ended its stream');
  }

  async function run(): Promise<void> {
    let pause_ms = FIRST_PAUSE_MS;
    while (!closing.signal.aborted) {
      const heardBefore_ms = heardAt_ms;
      try {
        await readOn();
      } catch (error) {
        if (closing.signal.aborted) return;
        if (error instanceof Fault && error.reason === 'CURSOR_TOO_OLD') {
          log.error({ log: name }, 'events were missed: the log goes on from now');
          cursor = undefined;
          isLost = true;
        } else complain(error);
      }
      pause_ms = heardAt_ms > heardBefore_ms ? FIRST_PAUSE_MS : Math.min(2 * pause_ms, LONGEST_PAUSE_MS);
      await sleep(pause_ms, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  const running = run();

  return {
    age_ms: () => (isTaking ? 0 : performance.now() - heardAt_ms),
    close: async () => {
      closing.abort();
      clearInterval(watch);
      await running;
    },
  };
}
