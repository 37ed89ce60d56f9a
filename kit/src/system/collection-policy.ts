/** A sample of this process, at a regular interval. */
export interface LoadSample {
  /** Utilization of the event loop since the last sample, 0 to 1. */
  readonly utilization: number;
  /** Resident memory. */
  readonly bytes: number;
  /** By performance.now(). */
  readonly now_ms: number;
}

/** Above this utilization of the event loop, V8 collects by itself. */
const MAX_UTILIZATION = 0.5;
/** Growth since the last collection that makes its pause worthwhile. */
const MIN_GROWTH_BYTES = 48 * 1024 * 1024;
const MIN_INTERVAL_MS = 2_000;

/** Decides when to collect garbage: after a load, when the event loop is quiet again and memory has grown. */
export class CollectionPolicy {
  /** The memory from which growth counts. */
  #baselineBytes = Number.POSITIVE_INFINITY;
  #collectedAt_ms = Number.NEGATIVE_INFINITY;
  /** Consecutive collections that freed little. */
  #unproductive = 0;

  /** Records a sample. Returns whether garbage should be collected now. */
  observe({ utilization, bytes, now_ms }: LoadSample): boolean {
    this.#baselineBytes = Math.min(this.#baselineBytes, bytes);
    return (
      utilization <= MAX_UTILIZATION &&
      bytes >= this.#baselineBytes + MIN_GROWTH_BYTES &&
      now_ms - this.#collectedAt_ms >= MIN_INTERVAL_MS
    );
  }

  /** Records a collection, with the resident memory before and after it. */
  collected(before_bytes: number, after_bytes: number, now_ms: number): void {
    this.#collectedAt_ms = now_ms;
    this.#unproductive = before_bytes - after_bytes < MIN_GROWTH_BYTES ? this.#unproductive + 1 : 0;
    // A single unproductive collection may have come while the memory was in use, so the baseline stays, and another
    // one follows. If that one frees little too, the process needs the memory.
    if (this.#unproductive !== 1) this.#baselineBytes = after_bytes;
  }
}
