import type {
  BucketState,
  ChargeSet,
  CheckResponse,
  Denial,
  Charge as NamedCharge,
  PeekSlowmodeRequest,
  ProfileDenial,
  TakeProfileChangesRequest,
  TakeSlowmodeRequest,
} from '@gatehouse/proto/ratelimit';
import { type Counts, newCounts } from './counts.ts';
import { LocalDecisions } from './degraded/local-decisions.ts';
import { DenialCache, SETTLE_US } from './denials/denial-cache.ts';
import { denialMessage } from './denials/denial-message.ts';
import { FollowedRules } from './followed-rules.ts';
import { InternalLimits } from './internal-limits.ts';
import { localCharges } from './keys/local-charges.ts';
import { type MicrosecondClock, monotonicClock } from './leaky-bucket/clock.ts';
import type { Charge } from './leaky-bucket/store.ts';
import { type Acquired, Leases } from './leases/leases.ts';
import { silentLogger } from './logger.ts';
import type { RateLimits, RateLimitsOptions } from './rate-limits.ts';
import { RatelimitCalls } from './ratelimit-calls.ts';
import type { Transport } from './transport.ts';

/** Far longer than a check takes. A check that times out may have been charged at ratelimit, and is charged here too. */
const CALL_TIMEOUT_MS = 250;
const MAX_LOCAL_BUCKETS = 65_536;
/** The shortest window holds for a limit that is not known yet. */
const UNKNOWN_WINDOW_US = 1_000_000;

/** The client over a transport. */
export class RateLimitsClient<Origin> implements RateLimits<Origin> {
  readonly counts: Counts = newCounts();
  readonly #now_us: MicrosecondClock;
  readonly #transport: Transport<Origin>;
  readonly #calls: RatelimitCalls<Origin>;
  readonly #rules: FollowedRules;
  readonly #localCharges = localCharges();
  readonly #denials: DenialCache;
  readonly #local: LocalDecisions;
  readonly #internal: InternalLimits<Origin>;
  readonly #leases = new Leases();

  constructor(transport: Transport<Origin>, options: RateLimitsOptions = {}) {
    const { replicas = 1, enforced = true, lists_buckets = true, served } = options;
    const { max_buckets = MAX_LOCAL_BUCKETS, log = silentLogger } = options;
    const { now_us = monotonicClock, timeout_ms = CALL_TIMEOUT_MS } = options;
    this.#now_us = now_us;
    this.#transport = transport;
    this.#calls = new RatelimitCalls({
      transport,
      timeout_ms,
      now_us,
      probe: lists_buckets ? (probe_timeout_ms) => this.#rules.refresh(probe_timeout_ms) : undefined,
      onAnswer: () => this.#local.answered(),
      onRecovery: () => this.#local.outageEnded(),
    });
    this.#rules = new FollowedRules({
      transport,
      lists_buckets,
      served,
      isUnavailable: () => this.#calls.isBreakerOpen(),
      onChange: ({ rules }) => {
        this.#local.setRules(rules);
        this.#denials.clear();
      },
      remembersDenials: () => this.#denials.size() > 0,
      onDenialsEnded: (isNew) => this.#denials.clear(isNew ? SETTLE_US : 0),
      log,
    });
    this.#denials = new DenialCache({
      now_us,
      isCurrent: (rule) => this.#rules.current().byName.get(rule.name) === rule,
    });
    this.#local = new LocalDecisions({
      rules: this.#rules.current().rules,
      replicas,
      max_buckets,
      now_us,
      denialFor: (set) => this.#denials.denialFor(set),
      enforced,
      counts: this.counts,
      log,
    });
    this.#internal = new InternalLimits({
      transport,
      calls: this.#calls,
      rules: this.#rules,
      local: this.#local,
      counts: this.counts,
    });
  }

  check(sets: readonly ChargeSet[], origin?: Origin): Denial | undefined | Promise<Denial | undefined> {
    this.counts.checks++;
    const known = this.#recall(sets);
    if (known !== undefined) {
      this.counts.remembered++;
      return this.#denied(known);
    }
    if (this.#calls.isBreakerOpen()) return this.#checkLocally(sets);
    const sent_us = this.#now_us();
    return this.#transport.check({ sets }, this.#calls.timeout_ms, origin).then(
      (response) => this.#checked(sets, response, sent_us),
      (error: unknown) => {
        this.#calls.failed(error, origin);
        return this.#checkLocally(sets, error);
      },
    );
  }

  async dryRun(set: ChargeSet, origin?: Origin): Promise<Denial | undefined> {
    const known = this.#recall([set]);
    if (known !== undefined) return this.#denied(known);
    if (this.#calls.isBreakerOpen()) return undefined;
    try {
      const states = await this.peek(set.charges, origin);
      const [longest] = states
        .filter(({ retry_after_us }) => retry_after_us > 0)
        .sort((a, b) => b.retry_after_us - a.retry_after_us);
      return longest && this.#denied(longest);
    } catch (error) {
      if (this.#transport.isOutage(error)) return undefined;
      throw error;
    }
  }

  async peek(charges: readonly NamedCharge[], origin?: Origin): Promise<readonly BucketState[]> {
    const call = (timeout_ms: number) => this.#transport.peek({ charges }, timeout_ms, origin);
    return (await this.#calls.call(call)).states;
  }

  async refund(charges: readonly NamedCharge[], origin?: Origin): Promise<void> {
    try {
      await this.#calls.call((timeout_ms) => this.#transport.refund({ charges }, timeout_ms, origin));
    } finally {
      // After a failure too: the refund may have happened.
      const refunded = this.#chargesOf({ charges });
      this.#denials.forget(refunded);
      const leases = refunded.filter(({ lease_id }) => lease_id !== undefined);
      if (leases.length > 0) this.#local.release(leases);
    }
  }

  acquire(charge: NamedCharge, origin?: Origin): Promise<Acquired> {
    const grant = async (lease: NamedCharge) => this.check([{ charges: [lease] }], origin);
    return this.#leases.acquire(charge, grant, {
      check: async (lease) => this.check([{ charges: [lease] }]),
      refund: (lease) => this.refund([lease]),
      isOutage: (error) => this.#transport.isOutage(error),
      window_ms: () =>
        (this.#rules.current().byName.get(charge.bucket)?.window_us ?? UNKNOWN_WINDOW_US) / 1000,
    });
  }

  takeSlowmode(message: TakeSlowmodeRequest, origin?: Origin): Promise<number | undefined> {
    return this.#internal.takeSlowmode(message, origin);
  }

  peekSlowmode(message: PeekSlowmodeRequest, origin?: Origin): Promise<number | undefined> {
    return this.#internal.peekSlowmode(message, origin);
  }

  takeProfileChanges(
    changes: TakeProfileChangesRequest,
    origin?: Origin,
  ): Promise<ProfileDenial | undefined> {
    return this.#internal.takeProfileChanges(changes, origin);
  }

  remembered(): number {
    return this.#denials.size();
  }

  isBreakerOpen(): boolean {
    return this.#calls.isBreakerOpen();
  }

  close(): void {
    this.#leases.stop();
    this.#rules.close();
    this.#calls.close();
    this.#local.close();
    this.#transport.close();
  }

  #chargesOf({ charges }: ChargeSet): Charge[] {
    return this.#localCharges(charges, this.#rules.current());
  }

  /** The remembered denial of the first set. The sets before another one must still be charged. */
  #recall([first]: readonly ChargeSet[]): Denial | undefined {
    if (first === undefined || this.#denials.size() === 0) return undefined;
    const known = this.#denials.recall([this.#chargesOf(first)]);
    return known && denialMessage(known);
  }

  #checked(
    sets: readonly ChargeSet[],
    { denial, degraded }: CheckResponse,
    sent_us: number,
  ): Denial | undefined {
    this.#calls.succeeded();
    if (degraded) this.counts.degraded++;
    if (denial === null || denial === undefined) return undefined;
    // A denial by a failure policy is not remembered: the bucket itself may admit a moment later.
    if (!degraded) this.#remember(sets, denial, sent_us);
    return this.#denied(denial);
  }

  #remember(sets: readonly ChargeSet[], denial: Denial, sent_us: number): void {
    const check = sets.map((set) => this.#chargesOf(set));
    const [charge, ...others] = check.flat().filter(({ rule }) => rule.name === denial.bucket);
    // With several charges of that name, the response does not say which one it denied. With another limit, it follows
    // rules that are not known here yet.
    if (charge === undefined || others.length > 0 || charge.rule.limit !== denial.limit) return;
    const { rule, key } = charge;
    const { retry_after_us, empty_after_us } = denial;
    this.#denials.remember(check, { rule, key, retry_after_us, empty_after_us }, sent_us);
  }

  #checkLocally(sets: readonly ChargeSet[], cause?: unknown): Denial | undefined {
    const denial = this.#local.decide(() => sets.map((set) => this.#chargesOf(set)), cause);
    return denial && this.#denied(denialMessage(denial));
  }

  #denied(denial: Denial): Denial {
    this.counts.denied.set(denial.bucket, (this.counts.denied.get(denial.bucket) ?? 0) + 1);
    return denial;
  }
}
