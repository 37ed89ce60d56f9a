import { unavailable } from '../fault.ts';

/** Longer than a statement may take. */
const POLL_TIMEOUT_MS = 12_000;

/** Fails if the database hangs, as it would if the connection broke: readers continue at another replica. */
export async function withinPollTimeout<T>(answer: Promise<T>): Promise<T> {
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
