import { isOutage } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import type { CallOptions, Connection } from '@gatehouse/kit/rpc';
import type {
  BucketState,
  Charge,
  ChargeSet,
  CheckResponse,
  Denial,
  PeekSlowmodeRequest,
  ProfileDenial,
  RatelimitServiceDefinition,
  TakeProfileChangesRequest,
  TakeSlowmodeRequest,
} from '@gatehouse/proto/ratelimit';
import { type Counts, noCounts } from './counts.ts';
import { FailurePolicies } from './degraded/failure-policies.ts';
import { OutageLog } from './degraded/outage-log.ts';
import { DenialCache } from './denials/denial-cache.ts';
import { denialMessage } from './denials/denial-message.ts';
import { FollowedRules } from './followed-rules.ts';
import { chargesReader } from './keys/read-charges.ts';
import { type MicrosecondClock, monotonicClock } from './leaky-bucket/clock.ts';
import type { Charge as BucketCharge, Denial as BucketDenial, Check } from './leaky-bucket/store.ts';
import { Sweeper } from './leaky-bucket/sweeper.ts';
import { profileField, profileSet } from './profile-changes.ts';
import type { Origin, RateLimits, RateLimitsOptions } from './rate-limits.ts';
import { RatelimitCalls } from './ratelimit-calls.ts';
import { slowmodeCheck } from './slowmode.ts';

/** Far longer than a check takes. A check that times out may have been charged at ratelimit, and is charged here too. */
const TIMEOUT_MS = 250;
const MAX_BUCKETS = 65_536;

/** A call that ratelimit answers, or this process while ratelimit does not answer. */
interface Question<Response, Result> {
  ask(options: CallOptions): Promise<Response>;
  toResult(response: Response): Result;
  /** Decides here. `cause` is the error of the call, if one was made. */
  decide(cause?: unknown): Result;
}

/** The client over a connection that its caller opens and closes. */
export class RateLimitsClient implements RateLimits {
  readonly counts: Counts = noCounts();
  readonly #now_us: MicrosecondClock;
  readonly #isEnforced: boolean;
  readonly #calls: RatelimitCalls;
  readonly #rules: FollowedRules;
  readonly #read = chargesReader();
  readonly #denials: DenialCache;
  readonly #policies: FailurePolicies;
  readonly #sweeper: Sweeper;
  readonly #outage: OutageLog;

  constructor(connection: Connection<typeof RatelimitServiceDefinition>, options: RateLimitsOptions = {}) {
    const {
      replicas = 1,
      enforced = true,
      lists_buckets = true,
      served,
      max_buckets = MAX_BUCKETS,
    } = options;
    const { log = silentLogger, now_us = monotonicClock, timeout_ms = TIMEOUT_MS } = options;
    this.#now_us = now_us;
    this.#isEnforced = enforced;
    this.#outage = new OutageLog(log);
    this.#calls = new RatelimitCalls({
      connection,
      timeout_ms,
      probe: lists_buckets ? (within_ms) => this.#rules.refresh(within_ms) : undefined,
      onBack: () => this.#outage.over(),
    });
    this.#rules = new FollowedRules({
      client: connection.client,
      lists_buckets,
      served,
      isAway: () => this.#calls.isOpen(),
      onChange: ({ rules }) => {
        this.#policies.setRules(rules);
        this.#denials.clear();
      },
      log,
    });
    this.#denials = new DenialCache({
      now_us,
      isCurrent: (rule) => this.#rules.current().byName.get(rule.name) === rule,
    });
    this.#policies = new FailurePolicies({
      rules: this.#rules.current().rules,
      replicas,
      max_buckets,
      now_us,
      denialFor: (set) => this.#denials.denialFor(set),
    });
    this.#sweeper = new Sweeper(this.#policies.store, now_us, log);
  }

  check(sets: readonly ChargeSet[], origin?: Origin): Denial | undefined | Promise<Denial | undefined> {
    this.counts.checks++;
    const known = this.#recall(sets);
    if (known !== undefined) {
      this.counts.remembered++;
      return this.#denied(known);
    }
    if (this.#calls.isOpen()) return this.#checkHere(sets);
    const asked_us = this.#now_us();
    return this.#calls.client.check({ sets }, this.#calls.options(origin)).then(
      (answer) => this.#checked(sets, answer, asked_us),
      (error: unknown) => {
        this.#calls.failed(error, origin);
        return this.#checkHere(sets, error);
      },
    );
  }

  async dryRun(set: ChargeSet, origin?: Origin): Promise<Denial | undefined> {
    const known = this.#recall([set]);
    if (known !== undefined) return this.#denied(known);
    if (this.#calls.isOpen()) return undefined;
    try {
      const states = await this.peek(set.charges, origin);
      const [longest] = states
        .filter(({ retry_after_us }) => retry_after_us > 0)
        .sort((one, other) => other.retry_after_us - one.retry_after_us);
      return longest && this.#denied(longest);
    } catch (error) {
      if (isOutage(error)) return undefined;
      throw error;
    }
  }

  async peek(charges: readonly Charge[], origin?: Origin): Promise<readonly BucketState[]> {
    return (await this.#calls.ask((options) => this.#calls.client.peek({ charges }, options), origin)).states;
  }

  async refund(charges: readonly Charge[], origin?: Origin): Promise<void> {
    try {
      await this.#calls.ask((options) => this.#calls.client.refund({ charges }, options), origin);
    } finally {
      // Also if the answer is lost: the refund may have happened.
      this.#denials.forget(this.#chargesOf({ charges }));
    }
  }

  takeSlowmode(message: TakeSlowmodeRequest, origin?: Origin): Promise<number | undefined> {
    return this.#take(
      {
        ask: (options) => this.#calls.client.takeSlowmode(message, options),
        toResult: ({ retry_after_us }) => retry_after_us ?? undefined,
        decide: (cause) => this.#slowmodeHere(message, 1, cause),
      },
      origin,
    );
  }

  peekSlowmode(message: PeekSlowmodeRequest, origin?: Origin): Promise<number | undefined> {
    return this.#take(
      {
        ask: (options) => this.#calls.client.peekSlowmode(message, options),
        toResult: ({ retry_after_us }) => retry_after_us ?? undefined,
        decide: (cause) => this.#slowmodeHere(message, 0, cause),
      },
      origin,
    );
  }

  takeProfileChanges(
    changes: TakeProfileChangesRequest,
    origin?: Origin,
  ): Promise<ProfileDenial | undefined> {
    return this.#take(
      {
        ask: (options) => this.#calls.client.takeProfileChanges(changes, options),
        toResult: ({ denial }) => denial ?? undefined,
        decide: (cause) => {
          const denial = this.#decideHere(() => [profileSet(this.#rules.current().internal, changes)], cause);
          return denial && { field: profileField(denial), retry_after_us: denial.retry_after_us };
        },
      },
      origin,
    );
  }

  remembered(): number {
    return this.#denials.size();
  }

  isAlone(): boolean {
    return this.#calls.isOpen();
  }

  close(): void {
    this.#rules.close();
    this.#calls.close();
    this.#sweeper.close();
  }

  #chargesOf({ charges }: ChargeSet): BucketCharge[] {
    return this.#read(charges, this.#rules.current());
  }

  /** A denial holds whatever other callers do; but the sets before it in a check must still be charged. */
  #recall([first]: readonly ChargeSet[]): Denial | undefined {
    if (first === undefined || this.#denials.size() === 0) return undefined;
    const known = this.#denials.recall([this.#chargesOf(first)]);
    return known && denialMessage(known);
  }

  #checked(
    sets: readonly ChargeSet[],
    { denial, degraded }: CheckResponse,
    asked_us: number,
  ): Denial | undefined {
    this.#calls.succeeded();
    if (degraded) this.counts.degraded++;
    if (denial === null || denial === undefined) return undefined;
    // The bucket itself may admit a moment later what a failure policy denies.
    if (!degraded) this.#remember(sets, denial, asked_us);
    return this.#denied(denial);
  }

  #remember(sets: readonly ChargeSet[], denial: Denial, asked_us: number): void {
    const asked = sets.map((set) => this.#chargesOf(set));
    const [charge, ...others] = asked.flat().filter(({ rule }) => rule.name === denial.bucket);
    // The answer does not say which of several charges denied; and it may follow rules that are not known here yet.
    if (charge === undefined || others.length > 0 || charge.rule.limit !== denial.limit) return;
    const { rule, key } = charge;
    const { retry_after_us, empty_after_us } = denial;
    this.#denials.keep(asked, { rule, key, retry_after_us, empty_after_us }, asked_us);
  }

  #checkHere(sets: readonly ChargeSet[], cause?: unknown): Denial | undefined {
    const denial = this.#decideHere(() => sets.map((set) => this.#chargesOf(set)), cause);
    return denial && this.#denied(denialMessage(denial));
  }

  #slowmodeHere(message: TakeSlowmodeRequest, cost: 0 | 1, cause: unknown): number | undefined {
    const { slowmode } = this.#rules.current().internal;
    return this.#decideHere(() => slowmodeCheck(slowmode, message, cost), cause)?.retry_after_us;
  }

  /** Decides by the failure policies, counts it and logs it. */
  #decideHere(checkOf: () => Check, cause?: unknown): BucketDenial | undefined {
    this.counts.local++;
    this.#outage.decidedHere(cause);
    return this.#isEnforced ? this.#policies.decide(checkOf()) : undefined;
  }

  #denied(denial: Denial): Denial {
    this.counts.denied.set(denial.bucket, (this.counts.denied.get(denial.bucket) ?? 0) + 1);
    return denial;
  }

  async #take<Response extends { readonly degraded: boolean }, Result>(
    { ask, toResult, decide }: Question<Response, Result>,
    origin: Origin | undefined,
  ): Promise<Result> {
    this.counts.checks++;
    if (this.#calls.isOpen()) return decide();
    try {
      const answer = await ask(this.#calls.options(origin));
      this.#calls.succeeded();
      if (answer.degraded) this.counts.degraded++;
      return toResult(answer);
    } catch (error) {
      this.#calls.failed(error, origin);
      return decide(error);
    }
  }
}
