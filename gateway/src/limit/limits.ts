import { isOutage } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type {
  ChargeSet,
  Denial,
  ListBucketsResponse,
  RatelimitServiceDefinition,
} from '@gatehouse/proto/ratelimit';
import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { rememberedDenials } from '@gatehouse/ratelimit-client/leaky-bucket/remembered-denials';
import type { Denial as BucketDenial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { RateLimited } from '../http-error.ts';
import { breaker } from './breaker.ts';
import { type Counts, noCounts } from './counts.ts';
import { type EdgeRules, rulesReader } from './edge-rules.ts';
import { localCharges } from './local-charges.ts';
import { localDecisions } from './local-decisions.ts';
import { outageLog } from './outage-log.ts';
import { rateLimited } from './rate-limited.ts';

/** Far above what a check takes: one that is decided here may have been charged there as well. */
const CHECK_TIMEOUT_MS = 250;
const PROBE_TIMEOUT_MS = 200;
const REFRESH_EVERY_MS = 5_000;
const REFRESH_TIMEOUT_MS = 2_000;
const MAX_REMEMBERED = 65_536;

export interface LimitsOptions {
  readonly client: Client<typeof RatelimitServiceDefinition>;
  /** The reference at the start. */
  readonly served: ListBucketsResponse;
  /** Edges that share each limit while ratelimit is away. */
  readonly replicas: number;
  /** False: what is decided here passes. */
  readonly enforced: boolean;
  readonly now_us: MicrosecondClock;
  readonly log: Logger;
}

/** The edge's side of rate limits. */
export interface Limits {
  /**
   * Charges sets at ratelimit. A denial that this edge knows of is given again without asking, and
   * while ratelimit does not answer this edge decides.
   *
   * @throws RateLimited
   */
  charge(sets: ChargeSet[], requestId: string): Promise<void>;
  /**
   * Asks whether sets that are charged later would be denied as they are now. Where they would, the request
   * counts against the global bucket, as every request does, and against no other.
   *
   * @throws RateLimited
   */
  expectAdmission(sets: readonly ChargeSet[], requestId: string): Promise<void>;
  readonly counts: Readonly<Counts>;
  /** Denials that are remembered. */
  remembered(): number;
  /** Whether ratelimit is given up on for now. */
  isAlone(): boolean;
  close(): void;
}

export function edgeLimits({ client, served, replicas, enforced, now_us, log }: LimitsOptions): Limits {
  const readRules = rulesReader(replicas);
  let rules: EdgeRules = readRules(served);
  const toLocal = localCharges();
  const remembered = rememberedDenials({ max_entries: MAX_REMEMBERED, now_us });
  const here = localDecisions(rules, now_us, log);
  const counts = noCounts();
  const outage = outageLog(log);
  const asking = breaker(async () => {
    await refresh(PROBE_TIMEOUT_MS);
    outage.over();
  });
  const refreshing = setInterval(() => {
    if (!asking.isOpen()) refresh(REFRESH_TIMEOUT_MS).catch(() => undefined); // the next one may succeed
  }, REFRESH_EVERY_MS).unref();

  function charge(sets: ChargeSet[], requestId: string): Promise<void> {
    counts.checks++;
    const known = recall(sets);
    if (known !== undefined) {
      counts.remembered++;
      return Promise.reject(refuse(publicOf(known)));
    }
    if (asking.isOpen()) return decideHere(sets);

    const askedAt_us = now_us();
    return client.check({ sets }, { timeoutMs: CHECK_TIMEOUT_MS, requestId }).then(
      ({ denial, degraded }) => {
        asking.answered();
        if (degraded) counts.degraded++;
        if (denial === null || denial === undefined) return;
        // What a failure policy denies, the bucket itself may admit a moment later.
        if (!degraded) remember(sets, denial, now_us() - askedAt_us);
        throw refuse(denial);
      },
      (error: unknown) => {
        if (!isOutage(error)) throw error;
        asking.failed();
        return decideHere(sets, error);
      },
    );
  }

  async function expectAdmission(sets: readonly ChargeSet[], requestId: string): Promise<void> {
    const own = sets.at(-1);
    if (own === undefined || asking.isOpen()) return;
    const denied = remembered.denialFor([toLocal(own, rules)]);
    const denial = denied === undefined ? await peekedDenial(own, requestId) : publicOf(denied);
    if (denial === undefined) return;
    if (sets.length > 1) await charge(sets.slice(0, -1), requestId);
    throw refuse(denial);
  }

  /** What the bucket with the longest wait would deny with. */
  async function peekedDenial({ charges }: ChargeSet, requestId: string): Promise<Denial | undefined> {
    try {
      const { states } = await client.peek({ charges }, { timeoutMs: CHECK_TIMEOUT_MS, requestId });
      return states
        .filter(({ retry_after_us }) => retry_after_us > 0)
        .sort((one, other) => other.retry_after_us - one.retry_after_us)[0];
    } catch (error) {
      if (isOutage(error)) return undefined; // the check itself decides then
      throw error;
    }
  }

  /** A denial holds whatever others do; but what comes before it in the check has to be charged still. */
  function recall([first]: readonly ChargeSet[]): BucketDenial | undefined {
    if (first === undefined || remembered.size() === 0) return undefined;
    return remembered.denialFor([toLocal(first, rules)]);
  }

  function remember(sets: readonly ChargeSet[], denial: Denial, elapsed_us: number): void {
    const charge = sets.flatMap((set) => toLocal(set, rules)).find(({ rule }) => rule.name === denial.bucket);
    if (charge?.rule.limit !== denial.limit) return; // by other rules than those that are known here
    const { retry_after_us, empty_after_us } = denial;
    const { rule, key, cost } = charge;
    remembered.remember({ rule, key, retry_after_us, empty_after_us }, cost, elapsed_us);
  }

  /** By failure policies, and by what is known of buckets at ratelimit. */
  async function decideHere(sets: readonly ChargeSet[], cause?: unknown): Promise<void> {
    counts.local++;
    outage.decidedHere(cause);
    if (!enforced) return;
    const local = sets.map((set) => toLocal(set, rules));
    const knownAt = local.findIndex((set) => remembered.denialFor([set]) !== undefined);
    const denial = here.decide(knownAt < 0 ? local : local.slice(0, knownAt));
    if (denial !== undefined) throw refuse(publicOf(denial));
    const known = knownAt < 0 ? undefined : remembered.denialFor(local.slice(knownAt));
    if (known !== undefined) throw refuse(publicOf(known));
  }

  function refuse(denial: Denial): RateLimited {
    counts.denied.set(denial.bucket, (counts.denied.get(denial.bucket) ?? 0) + 1);
    return rateLimited(denial);
  }

  /** With the bucket's own limit, also where this edge's share of it decided. */
  function publicOf({ rule, retry_after_us, empty_after_us }: BucketDenial): Denial {
    const limit = rules.byName.get(rule.name)?.limit ?? rule.limit;
    return { bucket: rule.name, limit, retry_after_us, empty_after_us };
  }

  /** Asks ratelimit for its rules, which it may have read anew. */
  async function refresh(timeoutMs: number): Promise<void> {
    const now = await client.listBuckets({}, { timeoutMs });
    if (now.revision === rules.revision) return;
    rules = readRules(now);
    here.setRules(rules);
    remembered.clear();
    log.info({ revision: now.revision }, 'ratelimit has other rules');
  }

  return {
    charge,
    expectAdmission,
    counts,
    remembered: () => remembered.size(),
    isAlone: () => asking.isOpen(),
    close: () => {
      clearInterval(refreshing);
      asking.close();
      here.close();
    },
  };
}
