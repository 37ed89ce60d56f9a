import type { Output } from '../runtime.ts';

const TERMINAL_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
/** Returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001b[K';

/** Progress of long work, on standard error: one changing line on a terminal, else a line every few seconds. */
export class Progress {
  readonly #output: Output;
  #last_ms = performance.now();
  #written = false;

  constructor(output: Output) {
    this.#output = output;
  }

  note(text: string): void {
    const { isTTY = false } = this.#output;
    if (performance.now() - this.#last_ms < (isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS)) return;
    this.#last_ms = performance.now();
    this.#written = true;
    this.#output.write(isTTY ? `${CLEAR_LINE}${text}` : `${text}\n`);
  }

  end(): void {
    if (this.#written && this.#output.isTTY) this.#output.write(CLEAR_LINE);
  }
}
