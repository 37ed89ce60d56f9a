import { RateLimitError } from '../errors/api-error.ts';
import { UNSHARED_BUCKETS } from '../generated/unshared-buckets.ts';
import type { HttpCall } from '../http/http-call.ts';
import { sleep } from '../http/with-deadline.ts';
import { BucketGate } from './bucket-gate.ts';
import type { Denial } from './denial.ts';
import type { WaitBudget } from './wait-budget.ts';

const GLOBAL = 'global';
const MAX_GATES = 1_000;

/** Shares what a denial says with all calls of a client that would charge the same bucket. */
export class RateLimitGates {
  readonly #gates = new Map<string, BucketGate>();
  /** The buckets that have denied an operation: answers that are no denial name none. */
  readonly #buckets = new Map<string, Set<string>>();

  /** Waits until the call may be sent. @throws RateLimitError, the signal's reason */
  async pass(call: HttpCall, budget: WaitBudget, signal: AbortSignal): Promise<void> {
    for (;;) {
      const gates = this.#gatesOf(call);
      const now = performance.now();
      const wait = Math.max(0, ...gates.map((gate) => gate.wait(now)));
      if (wait > budget.remaining)
        throw notSent(call, wait / 1000, this.#gates.get(GLOBAL)?.wait(now) === wait);
      for (const gate of gates) gate.reserve();
      if (wait === 0) return;
      await sleep(budget.spend(withJitter(wait)), signal).catch((reason: unknown) => {
        for (const gate of gates) gate.release();
        throw reason;
      });
      const later = performance.now();
      if (!gates.some((gate) => gate.isBlocked(later))) return;
    }
  }

  /** Notes a denial. Returns whether `pass` will wait for it: who shares some buckets, only the server can tell. */
  deny(call: HttpCall, denial: Denial, sentAt: number): boolean {
    if (!isShared(denial)) return false;
    const bucket = denial.bucket ?? call.operation;
    const key = denial.global ? GLOBAL : keyOf(bucket, call);
    if (!denial.global) this.#bucketsOf(call).add(bucket);
    this.#gate(key).deny(denial, sentAt, performance.now());
    return true;
  }

  #bucketsOf({ operation }: HttpCall): Set<string> {
    let buckets = this.#buckets.get(operation);
    if (buckets === undefined) {
      buckets = new Set();
      this.#buckets.set(operation, buckets);
    }
    return buckets;
  }

  #gatesOf(call: HttpCall): BucketGate[] {
    const buckets = [...(this.#buckets.get(call.operation) ?? [])];
    return [GLOBAL, ...buckets.map((bucket) => keyOf(bucket, call))].flatMap((key) => {
      const gate = this.#gates.get(key);
      if (gate?.isOver(performance.now())) this.#gates.delete(key);
      return this.#gates.get(key) ?? [];
    });
  }

  #gate(key: string): BucketGate {
    const gate = this.#gates.get(key) ?? new BucketGate();
    if (!this.#gates.has(key) && this.#gates.size >= MAX_GATES) this.#makeRoom();
    this.#gates.set(key, gate);
    return gate;
  }

  /** Without its gate a bucket costs one more denial. */
  #makeRoom(): void {
    const now = performance.now();
    for (const [key, gate] of this.#gates) if (gate.isOver(now)) this.#gates.delete(key);
    const [oldest] = this.#gates.keys();
    if (oldest !== undefined && this.#gates.size >= MAX_GATES) this.#gates.delete(oldest);
  }
}

/** A limit of a service, such as that of wrong second factors, has a scope and no bucket. A proxy's has neither. */
function isShared({ bucket, global, scope }: Denial): boolean {
  return global || (bucket === undefined ? scope === undefined : !UNSHARED_BUCKETS.has(bucket));
}

function keyOf(bucket: string, { bucketKey }: HttpCall): string {
  return `${bucket} ${bucketKey}`;
}

/** Never earlier: a request that comes too early is denied again. */
function withJitter(wait: number): number {
  return wait + Math.random() * Math.min(20 + wait / 10, 1_000);
}

function notSent({ operation }: HttpCall, seconds: number, global: boolean): RateLimitError {
  const message = `The request was not sent: its rate limit is reached for ${seconds.toFixed(3)} s.`;
  const members = { code: 'RATE_LIMITED', message, global, retry_after: seconds };
  return new RateLimitError({ operation, status: 429, requestId: undefined, members }, { global, seconds });
}
