import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import type { Bucket, Charge, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Rules } from '../reference/rules.ts';
import type { DeniedBucket } from './denied-bucket.ts';
import { DeniedBuckets } from './denied-buckets.ts';
import { type DeniedIdentity, markOf, toIdentity } from './denied-identity.ts';

const MINUTE_US = 60_000_000;
const MINUTES = 10;

/**
 * The buckets that this process denied in the last ten minutes: for each minute a bounded number of them, those with the most
 * denials. Only buckets of the reference count, since keys of descriptors may have any value of a request.
 */
export class DeniedIdentities {
  readonly #rules: Rules;
  readonly #now_us: MicrosecondClock;
  /** By the minute, the latest last. */
  readonly #minutes = new Map<number, DeniedBuckets>();

  constructor(rules: Rules, now_us: MicrosecondClock) {
    this.#rules = rules;
    this.#now_us = now_us;
  }

  record(charge: Charge, { retry_after_us }: Denial): void {
    const now_us = this.#now_us();
    const denied = this.#bucketsAt(now_us).of(charge, () => {
      const rule = this.#rules.current().byIndex.get(charge.rule.index);
      return rule && markOf(rule, charge);
    });
    denied.denials++;
    denied.last_denied_us = now_us;
    denied.denied_until_us = now_us + retry_after_us;
  }

  /** The identities with the most denials; each bucket of one counts apart. */
  top(limit: number): DeniedIdentity[] {
    const { byIndex } = this.#rules.current();
    const identities = new Map<string, DeniedIdentity>();
    for (const denied of this.#recent()) {
      const rule = byIndex.get(denied.bucket.rule.index);
      if (rule === undefined) continue; // of a limit of descriptors
      const next = toIdentity(rule, denied);
      const id = `${rule.index} ${next.value}`;
      const known = identities.get(id);
      identities.set(id, known === undefined ? next : sumOf(known, next));
    }
    return [...identities.values()]
      .sort((a, b) => b.denials - a.denials || b.last_denied_us - a.last_denied_us)
      .slice(0, limit);
  }

  /** The buckets that were denied. */
  buckets(): Bucket[] {
    return [...this.#recent()].map(({ bucket }) => bucket);
  }

  *#recent(): Generator<DeniedBucket> {
    this.#dropOld(minuteOf(this.#now_us()));
    for (const minute of this.#minutes.values()) yield* minute.all();
  }

  #bucketsAt(now_us: number): DeniedBuckets {
    const minute = minuteOf(now_us);
    const known = this.#minutes.get(minute);
    if (known !== undefined) return known;
    this.#dropOld(minute);
    const buckets = new DeniedBuckets();
    this.#minutes.set(minute, buckets);
    return buckets;
  }

  #dropOld(now: number): void {
    for (const minute of this.#minutes.keys()) if (minute <= now - MINUTES) this.#minutes.delete(minute);
  }
}

function minuteOf(now_us: number): number {
  return Math.floor(now_us / MINUTE_US);
}

function sumOf(a: DeniedIdentity, b: DeniedIdentity): DeniedIdentity {
  return {
    ...a,
    denials: a.denials + b.denials,
    last_denied_us: Math.max(a.last_denied_us, b.last_denied_us),
    denied_until_us: Math.max(a.denied_until_us, b.denied_until_us),
  };
}
