import { isOutage, unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import type { CallOptions, Connection } from '@gatehouse/kit/rpc';
import type { ChargeSet, Denial, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { noCounts } from './counts.ts';
import { breaker } from './degraded/breaker.ts';
import { failurePolicies } from './degraded/failure-policies.ts';
import { outageLog } from './degraded/outage-log.ts';
import { denialCache } from './denials/denial-cache.ts';
import { denialMessage } from './denials/denial-message.ts';
import { followedRules } from './followed-rules.ts';
import { chargesReader } from './keys/read-charges.ts';
import { monotonicClock } from './leaky-bucket/clock.ts';
import type { Denial as BucketDenial, Check } from './leaky-bucket/store.ts';
import { sweeper } from './leaky-bucket/sweeper.ts';
import { profileField, profileSet } from './profile-changes.ts';
import type { Origin, RateLimits, RateLimitsOptions } from './rate-limits.ts';
import { slowmodeCheck } from './slowmode.ts';

/** Far above what a check takes: one that is decided here may have been charged there as well. */
const TIMEOUT_MS = 250;
const PROBE_TIMEOUT_MS = 200;
const MAX_BUCKETS = 65_536;

/** The client over a connection that its caller opens and closes. */
export function rateLimitsOver(
  { client, healthy }: Connection<typeof RatelimitServiceDefinition>,
  options: RateLimitsOptions = {},
): RateLimits {
  const { replicas = 1, enforced = true, lists_buckets = true, served, max_buckets = MAX_BUCKETS } = options;
  const { log = silentLogger, now_us = monotonicClock, timeout_ms = TIMEOUT_MS } = options;
  const rules = followedRules({
    client,
    lists_buckets,
    served,
    isAway: () => asking.isOpen(),
    onChange: (changed) => {
      here.setRules(changed.rules);
      denials.clear();
    },
    log,
  });
  const read = chargesReader();
  const denials = denialCache({
    now_us,
    isCurrent: (rule) => rules.current().byName.get(rule.name) === rule,
  });
  const here = failurePolicies({
    rules: rules.current().rules,
    replicas,
    max_buckets,
    now_us,
    denialFor: denials.denialFor,
  });
  const sweeping = sweeper(here.store, now_us, log);
  const outage = outageLog(log);
  const counts = noCounts();
  const asking = breaker({
    probe: lists_buckets ? () => rules.refresh(PROBE_TIMEOUT_MS) : isServing,
    timeout_ms,
    onClose: outage.over,
  });

  function check(sets: readonly ChargeSet[], origin?: Origin): ReturnType<RateLimits['check']> {
    counts.checks++;
    const known = recall(sets);
    if (known !== undefined) {
      counts.remembered++;
      return denied(known);
    }
    if (asking.isOpen()) return checkHere(sets);

    const asked_us = now_us();
    return client.check({ sets }, callOptions(origin, timeout_ms)).then(
      ({ denial, degraded }) => {
        asking.succeeded();
        if (degraded) counts.degraded++;
        if (denial === null || denial === undefined) return undefined;
        // What a failure policy denies, the bucket itself may admit a moment later.
        if (!degraded) remember(sets, denial, asked_us);
        return denied(denial);
      },
      (error: unknown) => {
        failed(error, origin);
        return checkHere(sets, error);
      },
    );
  }

  /** A denial holds whatever others do; but what comes before it in a check has to be charged still. */
  function recall([first]: readonly ChargeSet[]): Denial | undefined {
    if (first === undefined || denials.size() === 0) return undefined;
    const known = denials.recall([read(first.charges, rules.current())]);
    return known && denialMessage(known);
  }

  function remember(sets: readonly ChargeSet[], denial: Denial, asked_us: number): void {
    const asked = sets.map(({ charges }) => read(charges, rules.current()));
    const [charge, ...others] = asked.flat().filter(({ rule }) => rule.name === denial.bucket);
    // Which of several it was is not said; and it may have been denied by rules that are not known here yet.
    if (charge === undefined || others.length > 0 || charge.rule.limit !== denial.limit) return;
    const { rule, key } = charge;
    const { retry_after_us, empty_after_us } = denial;
    denials.keep(asked, { rule, key, retry_after_us, empty_after_us }, asked_us);
  }

  function checkHere(sets: readonly ChargeSet[], cause?: unknown): Denial | undefined {
    const denial = decideHere(() => sets.map(({ charges }) => read(charges, rules.current())), cause);
    return denial && denied(denialMessage(denial));
  }

  /** What this process decides by itself is counted, and said in the log. */
  function decideHere(checkOf: () => Check, cause?: unknown): BucketDenial | undefined {
    counts.local++;
    outage.decidedHere(cause);
    return enforced ? here.decide(checkOf()) : undefined;
  }

  function denied(denial: Denial): Denial {
    counts.denied.set(denial.bucket, (counts.denied.get(denial.bucket) ?? 0) + 1);
    return denial;
  }

  /** @throws what is no outage */
  function failed(error: unknown, origin: Origin | undefined): void {
    if (!isOutage(error)) throw error;
    // A call whose own time is over says nothing of ratelimit.
    if (typeof origin !== 'object' || origin.due_ms > performance.now()) asking.failed();
  }

  async function dryRun(set: ChargeSet, origin?: Origin): Promise<Denial | undefined> {
    const known = recall([set]);
    if (known !== undefined) return denied(known);
    if (asking.isOpen()) return undefined;
    try {
      const states = await peek(set.charges, origin);
      const [longest] = states
        .filter(({ retry_after_us }) => retry_after_us > 0)
        .sort((one, other) => other.retry_after_us - one.retry_after_us);
      return longest && denied(longest);
    } catch (error) {
      if (isOutage(error)) return undefined;
      throw error;
    }
  }

  const peek: RateLimits['peek'] = async (charges, origin) =>
    (await exactly((to) => client.peek({ charges }, to), origin)).states;

  const refund: RateLimits['refund'] = async (charges, origin) => {
    try {
      await exactly((to) => client.refund({ charges }, to), origin);
    } finally {
      denials.forget(read(charges, rules.current())); // also where the answer is lost: it may have happened
    }
  };

  /** For what only ratelimit can say. Its failures may be its store's: they do not count against it. */
  async function exactly<T>(ask: (to: CallOptions) => Promise<T>, origin: Origin | undefined): Promise<T> {
    if (asking.isOpen()) throw unavailable(new Error('ratelimit does not answer'));
    const answer = await ask(callOptions(origin, timeout_ms));
    asking.succeeded();
    return answer;
  }

  const takeSlowmode: RateLimits['takeSlowmode'] = (message, origin) =>
    take(
      (to) => client.takeSlowmode(message, to),
      ({ retry_after_us }) => retry_after_us ?? undefined,
      (cause) =>
        decideHere(() => slowmodeCheck(rules.current().internal.slowmode, message, 1), cause)?.retry_after_us,
      origin,
    );

  const peekSlowmode: RateLimits['peekSlowmode'] = (message, origin) =>
    take(
      (to) => client.peekSlowmode(message, to),
      ({ retry_after_us }) => retry_after_us ?? undefined,
      (cause) =>
        decideHere(() => slowmodeCheck(rules.current().internal.slowmode, message, 0), cause)?.retry_after_us,
      origin,
    );

  const takeProfileChanges: RateLimits['takeProfileChanges'] = (changes, origin) =>
    take(
      (to) => client.takeProfileChanges(changes, to),
      ({ denial }) => denial ?? undefined,
      (cause) => {
        const denial = decideHere(() => [profileSet(rules.current().internal, changes)], cause);
        return denial && { field: profileField(denial), retry_after_us: denial.retry_after_us };
      },
      origin,
    );

  async function take<R extends { readonly degraded: boolean }, T>(
    ask: (to: CallOptions) => Promise<R>,
    toResult: (answer: R) => T,
    decide: (cause?: unknown) => T,
    origin: Origin | undefined,
  ): Promise<T> {
    counts.checks++;
    if (asking.isOpen()) return decide();
    try {
      const answer = await ask(callOptions(origin, timeout_ms));
      asking.succeeded();
      if (answer.degraded) counts.degraded++;
      return toResult(answer);
    } catch (error) {
      failed(error, origin);
      return decide(error);
    }
  }

  async function isServing(): Promise<void> {
    if (!(await healthy(PROBE_TIMEOUT_MS))) throw new Error('ratelimit is not serving');
  }

  return {
    check,
    dryRun,
    peek,
    refund,
    takeSlowmode,
    peekSlowmode,
    takeProfileChanges,
    counts,
    remembered: denials.size,
    isAlone: asking.isOpen,
    close: () => {
      rules.close();
      asking.close();
      sweeping.close();
    },
  };
}

function callOptions(origin: Origin | undefined, timeoutMs: number): CallOptions {
  if (typeof origin === 'object') return { timeoutMs, parent: origin };
  return { timeoutMs, requestId: origin ?? '' };
}
