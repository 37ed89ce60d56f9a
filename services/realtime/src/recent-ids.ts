/** Remembers IDs for a short time. */
export class RecentIds {
  readonly #kept_ms: number;
  /** When each ID was added, the oldest first. */
  readonly #added_ms = new Map<string, number>();

  constructor(kept_ms: number) {
    this.#kept_ms = kept_ms;
  }

  add(id: string): void {
    for (const [old, at_ms] of this.#added_ms) {
      if (!this.#isExpired(at_ms)) break;
      this.#added_ms.delete(old);
    }
    this.#added_ms.delete(id);
    this.#added_ms.set(id, performance.now());
  }

  has(id: string): boolean {
    const at_ms = this.#added_ms.get(id);
    return at_ms !== undefined && !this.#isExpired(at_ms);
  }

  #isExpired(at_ms: number): boolean {
    return performance.now() - at_ms > this.#kept_ms;
  }
}
