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

/** Counts and logs refusals at a bound: each reason at most once a second. */
export interface Refusals {
  count(reason: RefusalReason): void;
  readonly counts: ReadonlyMap<RefusalReason, number>;
  /** The bounds with refusals in the last five seconds. */
  recent(): RefusalReason[];
}

const LOG_EVERY_MS = 1_000;
const RECENT_MS = 5_000;

export function refusals(log: Logger): Refusals {
  const counts = new Map<RefusalReason, number>(REFUSAL_REASONS.map((reason) => [reason, 0]));
  const unsaid = new Map<RefusalReason, number>();
  const saidAt = new Map<RefusalReason, number>();
  const lastAt = new Map<RefusalReason, number>();

  function count(reason: RefusalReason): void {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const refused = (unsaid.get(reason) ?? 0) + 1;
    const now = performance.now();
    lastAt.set(reason, now);
    if (now - (saidAt.get(reason) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) {
      unsaid.set(reason, refused);
      return;
    }
    saidAt.set(reason, now);
    unsaid.set(reason, 0);
    log.warn({ reason, refused }, 'overload: refused');
  }

  function recent(): RefusalReason[] {
    const since = performance.now() - RECENT_MS;
    return [...lastAt].filter(([, at]) => at > since).map(([reason]) => reason);
  }

  return { count, counts, recent };
}
