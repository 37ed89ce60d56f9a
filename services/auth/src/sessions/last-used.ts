import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { touchSessions } from '../store/sessions.ts';

export interface LastUsed {
  /** Notes that a session was used, and does nothing else: Identify calls it for each of its calls. */
  note(session_id: string): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

export interface LastUsedOptions {
  readonly db: Pool;
  readonly log: Logger;
  /** How often what was noted is written; 10 s unless given. */
  readonly every_ms?: number | undefined;
}

/** A session is noted once in it. It is written at most once a minute: the store sees to that. */
const PERIOD_MS = 30_000;
/** Sessions noted in a period; with more of them in use, some come later. */
const MAX_NOTED = 30_000;
/** Sessions a statement, and statements at one time: a thousand a second, of some 20 us each, are the most. */
const BATCH = 500;
const MAX_BATCHES = 20;
/** A database that does not answer must not hold the process. */
const CLOSE_WITHIN_MS = 2_000;

/** Keeps the times at which sessions were last used, in the background and some seconds behind. */
export function lastUsed({ db, log, every_ms = 10_000 }: LastUsedOptions): LastUsed {
  const noted = new Set<string>();
  /** Those of `noted` that are not written yet. */
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
      log.warn({ err: error }, 'last-used times could not be written');
      noted.clear(); // those in use are noted again
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
