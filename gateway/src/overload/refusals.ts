import type { Logger } from '@gatehouse/kit/log';

/** The bounds, by the work that is refused at them. */
export const REFUSAL_REASONS = [
  'connections',
  'connections_per_address',
  'requests',
  'requests_per_address',
  'head_bytes',
  'short_bodies',
  'long_bodies',
  'slow_bodies',
  'slow_requests',
  'untaken_answers',
  'tiny_chunks',
  'unsent_bytes',
  'media',
  'heap',
  'invalid_requests',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

const LOG_EVERY_MS = 1_000;
const RECENT_MS = 5_000;

/** Counts refusals at the bounds, and logs each reason at most once a second. */
export class Refusals {
  readonly counts = new Map<RefusalReason, number>(REFUSAL_REASONS.map((reason) => [reason, 0]));
  readonly #log: Logger;
  readonly #unlogged = new Map<RefusalReason, number>();
  readonly #loggedAt_ms = new Map<RefusalReason, number>();
  readonly #lastAt_ms = new Map<RefusalReason, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  count(reason: RefusalReason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    const count = (this.#unlogged.get(reason) ?? 0) + 1;
    const now_ms = performance.now();
    this.#lastAt_ms.set(reason, now_ms);
    if (now_ms - (this.#loggedAt_ms.get(reason) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) {
      this.#unlogged.set(reason, count);
      return;
    }
    this.#loggedAt_ms.set(reason, now_ms);
    this.#unlogged.set(reason, 0);
    this.#log.warn({ reason, refused: count }, 'overload: refused');
  }

  /** The bounds with refusals in the last five seconds. */
  recent(): RefusalReason[] {
    const since_ms = performance.now() - RECENT_MS;
    return [...this.#lastAt_ms].filter(([, at_ms]) => at_ms > since_ms).map(([reason]) => reason);
  }
}
