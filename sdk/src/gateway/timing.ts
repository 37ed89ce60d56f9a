/** The client's own times, in milliseconds. */
export interface GatewayTiming {
  /** Until the URL is known, and then until Hello arrives. */
  readonly connectWithinMs: number;
  /** Until the first event after Hello. The server may need long for a large READY. */
  readonly answerWithinMs: number;
  /** The longest delay before the first further attempt. It doubles with each attempt. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A session that lasted so long makes the next attempt the first again. */
  readonly steadyAfterMs: number;
}

export const TIMING: GatewayTiming = {
  connectWithinMs: 20_000,
  answerWithinMs: 60_000,
  firstDelayMs: 1_000,
  longestDelayMs: 30_000,
  steadyAfterMs: 30_000,
};

/**
 * The delay before an attempt. All of the first one is random, so that the clients of a stopped server do not return
 * together, and half of the others.
 *
 * @param attempt counts from 1
 * @param random from 0 to 1
 */
export function delayBefore(
  attempt: number,
  { firstDelayMs, longestDelayMs }: GatewayTiming,
  random: number = Math.random(),
): number {
  if (attempt <= 1) return random * firstDelayMs;
  const longest = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
  return (longest * (1 + random)) / 2;
}

/** Resolves after the time, or early when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
