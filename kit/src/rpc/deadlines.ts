export interface Deadlines {
  /** Makes `sweep` run at this time, in milliseconds of performance.now(). */
  watch(due_ms: number): void;
}

/**
 * Watches many deadlines with one timer, because most calls end long before theirs. `sweep` fails the calls that
 * are due, and returns the earliest deadline that is left, or Infinity.
 */
export function deadlines(sweep: (now_ms: number) => number): Deadlines {
  let timer: NodeJS.Timeout | undefined;
  let wakes_ms = Number.POSITIVE_INFINITY;

  function watch(due_ms: number): void {
    if (due_ms >= wakes_ms) return;
    clearTimeout(timer);
    wakes_ms = due_ms;
    timer = setTimeout(wake, Math.max(0, Math.ceil(due_ms - performance.now()))).unref(); // an open stream keeps the process alive
  }

  function wake(): void {
    wakes_ms = Number.POSITIVE_INFINITY;
    watch(sweep(performance.now()));
  }

  return { watch };
}
