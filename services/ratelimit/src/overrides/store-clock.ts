/** The clock of a store in another process, as of its last answer; a step of that clock shows with the next one. */
export class StoreClock {
  #offset_ms = performance.timeOrigin;

  /** Milliseconds since the Unix epoch. */
  now_ms(): number {
    return this.#offset_ms + performance.now();
  }

  /** @param asked_ms when the store was asked, by performance.now() */
  read(store_us: number, asked_ms: number): void {
    const answered_ms = performance.now();
    this.#offset_ms = store_us / 1000 - (asked_ms + answered_ms) / 2;
  }
}
