const LINE_EVERY_MS = 10_000;
const CLEAR = '\r\u001b[K';

/** A line of progress that a terminal rewrites, and a log gets every ten seconds. */
export class Progress {
  readonly #name: string;
  readonly #out: NodeJS.WriteStream;
  readonly #began_ms = performance.now();
  readonly #ends_ms: number;
  #last_ms = 0;
  #loop = { label: '', began_ms: 0, ends_ms: 0 };

  constructor(name: string, minutes: number, out: NodeJS.WriteStream) {
    this.#name = name;
    this.#out = out;
    this.#ends_ms = this.#began_ms + minutes * 60_000;
  }

  /** Prints a line that stays. */
  say(line: string): void {
    this.clear();
    this.#out.write(`bench: ${line}\n`);
  }

  /** Erases the line of a terminal. */
  clear(): void {
    if (this.#out.isTTY) this.#out.write(CLEAR);
  }

  /**
   * Shows the turns of a loop. Returns false if the loop has no time for another turn: it may take its share of the time
   * left, as one of `loops_left`.
   */
  turned(label: string, done: number, total: number, loops_left = 1): boolean {
    const now_ms = performance.now();
    if (done === 0) {
      const ends_ms = now_ms + (this.#ends_ms - now_ms) / loops_left;
      this.#loop = { label, began_ms: now_ms, ends_ms };
    }
    const { began_ms, ends_ms } = this.#loop;
    const turn_ms = (now_ms - began_ms) / Math.max(done, 1);
    const left_ms = Math.min(turn_ms * (total - done), ends_ms - now_ms);
    const table = done === 0 ? '' : `, ${clock(left_ms)} to its table`;
    const whole = `${clock(now_ms - this.#began_ms)} so far, at most ${clock(this.#ends_ms - now_ms)} left`;
    this.#show(`${this.#name}: ${label}, turn ${done} of ${total}${table}; ${whole}`);
    return now_ms + turn_ms <= ends_ms;
  }

  #show(line: string): void {
    if (this.#out.isTTY) {
      this.#out.write(CLEAR + line.slice(0, this.#out.columns - 1));
      return;
    }
    if (performance.now() - this.#last_ms < LINE_EVERY_MS) return;
    this.#last_ms = performance.now();
    this.say(line);
  }
}

/** Minutes and seconds. */
function clock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
