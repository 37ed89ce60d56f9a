import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { forgetExpiredClaims } from './store/deduplication-claims.ts';

const HOUR_MS = 3_600_000;

/** Keeps the claims of deduplication keys to a day's worth; returns how to end it. */
export function forgetClaimsHourly(db: Pool, log: Logger): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = forget(db, log);
  }, HOUR_MS).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

/** Whatever goes wrong is tried again in an hour. */
async function forget(db: Pool, log: Logger): Promise<void> {
  try {
    const forgotten = await forgetExpiredClaims(db);
    log.debug({ forgotten }, 'expired deduplication claims removed');
  } catch (error) {
    log.warn({ err: error }, 'expired deduplication claims could not be removed');
  }
}
