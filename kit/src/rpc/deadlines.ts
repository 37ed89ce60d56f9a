export interface Deadlines {
  /** Sees to it that `sweep` runs when this is due, in milliseconds of performance.now(). */
  watch(due_ms: number): void;
}

/**
 * Watches many deadlines with one timer, as most are never met. `sweep` gives up what is due and comes
 * back with the earliest deadline that is left, Infinity when there is none.
 */
export function deadlines(sweep: (now_ms: number) => number): Deadlines {
  let timer: NodeJS.Timeout | undefined;
  let wakes_ms = Number.POSITIVE_INFINITY;

  function watch(due_ms: number): void {
    if (due_ms >= wakes_ms) return;
    clearTimeout(timer);
    wakes_ms = due_ms;
    timer = setTimeout(wake, Math.max(0, Math.ceil(due_ms - performance.now()))).unref(); // a connection keeps the process
  }

  function wake(): void {
    wakes_ms = Number.POSITIVE_INFINITY;
    watch(sweep(performance.now()));
  }

  return { watch };
}
