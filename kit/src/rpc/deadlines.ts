/** Watches many deadlines with one timer, because most calls end long before theirs. */
export class Deadlines {
  readonly #sweep: (now_ms: number) => number;
  #timer: NodeJS.Timeout | undefined;
  #wakesAt_ms = Number.POSITIVE_INFINITY;

  /** @param sweep fails the calls that are due, and returns the earliest deadline that is left, or Infinity */
  constructor(sweep: (now_ms: number) => number) {
    this.#sweep = sweep;
  }

  /** Runs the sweep at this time, in milliseconds of performance.now(), or earlier. */
  watch(due_ms: number): void {
    if (due_ms >= this.#wakesAt_ms) return;
    clearTimeout(this.#timer);
    this.#wakesAt_ms = due_ms;
    const delay_ms = Math.max(0, Math.ceil(due_ms - performance.now()));
    this.#timer = setTimeout(this.#wake, delay_ms).unref(); // the open stream keeps the process alive
  }

  readonly #wake = (): void => {
    this.#wakesAt_ms = Number.POSITIVE_INFINITY;
    this.watch(this.#sweep(performance.now()));
  };
}
