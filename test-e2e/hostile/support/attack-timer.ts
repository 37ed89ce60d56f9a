import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** The duration of an attack. */
export interface AttackTimer {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  isOver(): boolean;
  /** Waits this long, or until the time is up. */
  pause(ms: number): Promise<void>;
}

export function startAttackTimer(seconds: number): AttackTimer {
  const ended = new AbortController();
  const { signal } = ended;
  setMaxListeners(0, signal);
  setTimeout(() => ended.abort(), seconds * 1000);
  return {
    signal,
    isOver: () => signal.aborted,
    pause: async (ms) => {
      await delay(ms, undefined, { signal }).catch(() => undefined);
    },
  };
}
