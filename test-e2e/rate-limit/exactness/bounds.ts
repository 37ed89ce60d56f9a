/**
 * An oracle of limits, written from their documentation. It knows when each request was sent and answered, and not the
 * order of decisions, so it computes what must hold for every possible order. All numbers are integers below 2^53.
 */

/** Tokens that were admitted, or returned, at some time from `start_us` to `end_us`. */
export interface Amount {
  readonly tokens: number;
  readonly start_us: number;
  readonly end_us: number;
}

export interface Limit {
  readonly limit: number;
  readonly window_us: number;
}

/**
 * Tokens beyond what a leaky bucket may admit: in every interval, the limit, what drains in it, and what may have been
 * returned in it. 0: none.
 */
export function leakyExcess(
  { limit, window_us }: Limit,
  admitted: readonly Amount[],
  refunded: readonly Amount[] = [],
): number {
  // An interval begins just before a request is sent and ends just after one is answered. It contains the decisions
  // whose request and response are in it, and perhaps refunds that overlap it.
  const events = [
    ...admitted.map((amount) => ({ at_us: amount.end_us, from_us: amount.start_us, tokens: amount.tokens })),
    ...refunded.map((amount) => ({ at_us: amount.start_us, from_us: amount.end_us, tokens: -amount.tokens })),
  ].sort((a, b) => a.at_us - b.at_us || a.tokens - b.tokens);
  const starts = [...new Set(admitted.map(({ start_us }) => start_us))];
  let excess = 0;
  for (const from_us of starts) {
    let tokens = 0;
    for (const event of events) {
      if (event.from_us < from_us) continue;
      tokens += event.tokens;
      const elapsed_us = Math.max(0, event.at_us - from_us);
      const room = limit + Math.floor((limit * elapsed_us) / window_us);
      excess = Math.max(excess, tokens - room);
    }
  }
  return excess;
}

/** Tokens beyond what fixed windows may admit: in each run of windows, the limit for each, and what was returned in it. */
export function fixedExcess(
  { limit, window_us }: Limit,
  admitted: readonly Amount[],
  refunded: readonly Amount[] = [],
): number {
  const windowOf = (at_us: number) => Math.floor(at_us / window_us);
  const windows = [...new Set(admitted.flatMap((each) => [windowOf(each.start_us), windowOf(each.end_us)]))];
  let excess = 0;
  for (const first of windows) {
    for (const last of windows.filter((window) => window >= first)) {
      const inside = admitted.filter(
        (each) => windowOf(each.start_us) >= first && windowOf(each.end_us) <= last,
      );
      const returned = refunded.filter(
        (each) => windowOf(each.end_us) >= first && windowOf(each.start_us) <= last,
      );
      excess = Math.max(excess, sum(inside) - sum(returned) - limit * (last - first + 1));
    }
  }
  return excess;
}

/** Permits held by a lease without doubt, from just after `from_us` to just before `to_us`. */
export interface Hold {
  readonly permits: number;
  readonly from_us: number;
  readonly to_us: number;
}

/** The most permits beyond the limit that were held at one time. */
export function leaseExcess(limit: number, holds: readonly Hold[]): number {
  const changes = holds
    .filter(({ from_us, to_us }) => from_us < to_us)
    .flatMap(({ permits, from_us, to_us }) => [
      { at_us: from_us, permits },
      { at_us: to_us, permits: -permits },
    ])
    .sort((a, b) => a.at_us - b.at_us || a.permits - b.permits); // at one time, ends come first
  let held = 0;
  let excess = 0;
  for (const { permits } of changes) {
    held += permits;
    excess = Math.max(excess, held - limit);
  }
  return excess;
}

/** A call about one lease: a grant or renewal, or whatever else may have ended or changed it. */
export interface LeaseCall extends Amount {
  readonly granted: boolean;
}

/** What one lease held without doubt, from its calls in their order: none overlaps another. */
export function holdsOf(window_us: number, calls: readonly LeaseCall[]): Hold[] {
  return calls.flatMap((call, index) => {
    if (!call.granted) return [];
    const next_us = calls[index + 1]?.start_us ?? Number.MAX_SAFE_INTEGER;
    return [
      { permits: call.tokens, from_us: call.end_us, to_us: Math.min(next_us, call.start_us + window_us) },
    ];
  });
}

function sum(amounts: readonly Amount[]): number {
  return amounts.reduce((total, { tokens }) => total + tokens, 0);
}
