import type { Denial } from './denial.ts';

/** After so long the bucket is asked again: no bucket of the API takes longer, and a proxy may send any date. */
const LONGEST_SECONDS = 86_400;

/**
 * Lets callers of a bucket that has denied a request through, at the pace at which the bucket drains. Each caller
 * reserves a time of its own, so those who waited do not all come back at once. Times are in milliseconds.
 */
export class BucketGate {
  /** The next free time. */
  #next = 0;
  #interval = 0;
  #emptyAt = 0;
  #deniedAt = Number.NEGATIVE_INFINITY;
  #blockedUntil = 0;

  /** Notes a denial. One of a request that was sent before the last noted denial says nothing new. */
  deny({ retryAfter, interval, resetAfter }: Denial, sentAt: number, now: number): void {
    if (sentAt <= this.#deniedAt) return;
    this.#deniedAt = now;
    this.#blockedUntil = now + atMost(retryAfter);
    this.#interval = atMost(interval);
    this.#emptyAt = now + atMost(resetAfter);
    this.#next = Math.max(this.#next, this.#blockedUntil);
  }

  /** How long a caller that reserves now would wait. */
  wait(now: number): number {
    return Math.max(this.#next - now, 0);
  }

  reserve(): void {
    this.#next += this.#interval;
  }

  /** Gives a reserved time back. */
  release(): void {
    this.#next = Math.max(this.#next - this.#interval, this.#blockedUntil);
  }

  /** Whether the bucket has denied another request since a caller reserved its time. */
  isBlocked(now: number): boolean {
    return now < this.#blockedUntil;
  }

  /** Whether the bucket is empty, so that nobody has to wait. */
  isOver(now: number): boolean {
    return now >= this.#emptyAt && now >= this.#next;
  }
}

function atMost(seconds: number): number {
  return Math.min(seconds, LONGEST_SECONDS) * 1000;
}
