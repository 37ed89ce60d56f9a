export interface Heartbeats {
  start(interval_ms: number): void;
  acknowledged(): void;
  stop(): void;
}

/** Beats once an interval, the first time within it. Calls `onSilence` where the beat before was not acknowledged. */
export function heartbeats(beat: () => void, onSilence: () => void): Heartbeats {
  let timer: NodeJS.Timeout | undefined;
  let waiting = false;

  function start(interval_ms: number, first_ms = interval_ms * Math.random()): void {
    timer = setTimeout(() => {
      if (waiting) return onSilence();
      waiting = true;
      beat();
      start(interval_ms, interval_ms);
    }, first_ms);
  }

  return {
    start: (interval_ms: number) => start(interval_ms),
    acknowledged: () => {
      waiting = false;
    },
    stop: () => clearTimeout(timer),
  };
}
