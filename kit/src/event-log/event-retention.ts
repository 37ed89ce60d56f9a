import type { Pool } from 'pg';
import type { EnvReader } from '../env.ts';
import type { Logger } from '../log.ts';
import { type PeriodicJob, periodicJob } from '../periodic-job.ts';
import { REMOVAL_EVENTS, removeEvents } from './remove-events.ts';

export interface EventRetentionOptions {
  readonly db: Pool;
  readonly log: Logger;
  /** How long events are kept. */
  readonly minutes: number;
  /** Interval. Default: a minute. */
  readonly every_ms?: number | undefined;
}

/** Removes old events in the background. `close` waits for the current batch only. */
export function eventRetention({ db, log, minutes, every_ms = 60_000 }: EventRetentionOptions): PeriodicJob {
  return periodicJob(every_ms, async (closing) => {
    try {
      let removed: number | undefined = REMOVAL_EVENTS;
      while (!closing.aborted && removed === REMOVAL_EVENTS) removed = await removeEvents(db, minutes);
    } catch (error) {
      log.warn({ err: error }, 'old events could not be removed');
    }
  });
}

/** EVENT_RETENTION_MINUTES. */
export function readEventRetention(read: EnvReader): number {
  return read.integer('EVENT_RETENTION_MINUTES', {
    about: 'minutes that events stay in the log for their readers',
    min: 1,
    max: 10_080,
    default: 60,
  });
}
