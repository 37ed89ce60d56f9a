import type { Logger } from '@gatehouse/kit/log';

const WARN_EVERY_MS = 1_000;

/** Says in the log that requests are decided without ratelimit: how many, once a second at most. */
export interface OutageLog {
  /** One request was decided here; `cause` is what ratelimit, if it was asked, came to. */
  decidedHere(cause?: unknown): void;
  over(): void;
}

export function outageLog(log: Logger): OutageLog {
  let unsaid = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  let said = false;
  let lastCause: unknown;

  return {
    decidedHere: (cause) => {
      unsaid++;
      lastCause = cause ?? lastCause;
      const now = performance.now();
      if (now - saidAt < WARN_EVERY_MS) return;
      log.warn(
        { err: lastCause, decided_here: unsaid },
        'ratelimit does not answer: limits are decided here',
      );
      saidAt = now;
      said = true;
      unsaid = 0;
    },
    over: () => {
      if (said) log.info({ decided_here: unsaid }, 'ratelimit answers again');
      said = false;
      unsaid = 0;
    },
  };
}
