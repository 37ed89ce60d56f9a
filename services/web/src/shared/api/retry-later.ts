import { ApiError } from './api-error.ts';

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;
/** Pages that lost their server together do not come back in the same instant. */
const SPREAD = 0.3;

/**
 * Calls `again` after a pause if the error is one that ends by itself: no connection, or a server that is busy or being
 * restarted. Each failure doubles the pause.
 */
export function retryLater(error: unknown, failures: number, again: () => void): void {
  if (!endsByItself(error)) return;
  setTimeout(again, pauseOf(failures) * (1 + SPREAD * Math.random()));
}

export function endsByItself(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** The shortest pause after so many earlier failures. */
export function pauseOf(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
}
