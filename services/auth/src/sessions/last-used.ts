import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { touchSessions } from '../store/sessions/sessions.ts';

export interface LastUsed {
  /** Notes that a session was used. It does no I/O: Identify calls it in every call. */
  note(session_id: string): void;
  /** Writes the noted times, for two seconds at most. */
  close(): Promise<void>;
}

export interface LastUsedOptions {
  readonly db: Pool;
  readonly log: Logger;
  /** The interval of writing; 10 s by default. */
  readonly every_ms?: number | undefined;
}

/** A session is noted once per period. The store writes it at most once a minute. */
const PERIOD_MS = 30_000;
/** Sessions noted per period. Further ones are noted in a later period. */
const MAX_NOTED = 30_000;
/** Sessions per statement, and statements per interval: at most a thousand sessions a second, about 20 µs each. */
const BATCH = 500;
const MAX_BATCHES = 20;
/** A database that does not answer must not keep the process alive. */
const CLOSE_WITHIN_MS = 2_000;

/** Writes the times at which sessions were last used, in the background, with some seconds of delay. */
export function lastUsed({ db, log, every_ms = 10_000 }: LastUsedOptions): LastUsed {
  const noted = new Set<string>();
  /** The noted sessions that are not written yet. */
  let waiting: string[] = [];
  let periodEnds = performance.now() + PERIOD_MS;
  let writing: Promise<void> = Promise.resolve();
  let busy = false;

  async function write(): Promise<void> {
    busy = true;
    try {
      for (let batches = 0; batches < MAX_BATCHES && waiting.length > 0; batches++)
        await touchSessions(db, waiting.splice(0, BATCH));
    } catch (error) {
      log.warn({ err: error }, 'writing last-used times failed');
      noted.clear(); // sessions in use will be noted again
      waiting = [];
    } finally {
      busy = false;
    }
  }

  const timer = setInterval(() => {
    if (performance.now() >= periodEnds) {
      periodEnds = performance.now() + PERIOD_MS;
      noted.clear();
    }
    if (!busy) writing = write();
  }, every_ms).unref();

  return {
    note: (session_id) => {
      const { size } = noted;
      if (size >= MAX_NOTED || waiting.length >= MAX_NOTED) return;
      noted.add(session_id);
      if (noted.size > size) waiting.push(session_id);
    },
    close: async () => {
      clearInterval(timer);
      await Promise.race([writing.then(write), setTimeout(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
