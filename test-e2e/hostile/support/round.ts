import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** The duration of an attack. */
export interface Round {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  over(): boolean;
  /** Waits this long, or until the time is up. */
  pause(ms: number): Promise<void>;
}

export function beginRound(seconds: number): Round {
  const ended = new AbortController();
  const { signal } = ended;
  setMaxListeners(0, signal);
  setTimeout(() => ended.abort(), seconds * 1000);
  return {
    signal,
    over: () => signal.aborted,
    pause: async (ms) => {
      await delay(ms, undefined, { signal }).catch(() => undefined);
    },
  };
}
