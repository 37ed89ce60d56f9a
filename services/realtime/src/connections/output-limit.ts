/** A connection with bytes that its client has not read. */
export interface BufferedOutput {
  waitingBytes(): number;
  /** Ends the connection and frees its buffer. */
  cut(): void;
}

/**
 * Limits the bytes that wait for all clients together. Only growth is reported, not what clients read, so the sum is an
 * upper bound. It is recounted when it reaches the maximum, and then after every eighth of the maximum.
 */
export class OutputLimit {
  readonly #max_bytes: number;
  readonly #step: number;
  readonly #outputs: () => Iterable<BufferedOutput>;
  #bytes = 0;
  #recountAt: number;

  constructor(max_bytes: number, outputs: () => Iterable<BufferedOutput>) {
    this.#max_bytes = max_bytes;
    this.#step = max_bytes / 8;
    this.#outputs = outputs;
    this.#recountAt = max_bytes;
  }

  /** The upper bound of the waiting bytes. */
  bytes(): number {
    return this.#bytes;
  }

  grew(by_bytes: number): void {
    this.#bytes += by_bytes;
    if (this.#bytes > this.#recountAt) this.recount();
  }

  /** Counts the waiting bytes. Over the maximum, the connections with most of them are cut. */
  recount(): void {
    this.#bytes = 0;
    for (const output of this.#outputs()) this.#bytes += output.waitingBytes();
    if (this.#bytes > this.#max_bytes) this.#cutLargest();
    this.#recountAt = Math.max(this.#max_bytes, this.#bytes + this.#step);
  }

  #cutLargest(): void {
    const outputs = Array.from(this.#outputs(), (output) => ({ output, waiting: output.waitingBytes() }));
    outputs.sort((a, b) => b.waiting - a.waiting);
    for (const { output, waiting } of outputs) {
      if (this.#bytes <= this.#max_bytes - this.#step) return;
      output.cut();
      this.#bytes -= waiting;
    }
  }
}
