import type { Logger } from '@gatehouse/kit/log';
import { Breaker } from '@gatehouse/ratelimit-client/degraded/breaker';
import type { FailurePolicies } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import type { Check, Decision, Store } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { eachWithin, within } from '../deadline.ts';
import { storeUnavailable } from '../errors.ts';
import type { Verdict } from './verdict.ts';

/** A store that always decides. */
export interface GuardedStore {
  decide(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]>;
  /**
   * The store itself.
   *
   * @throws Fault UNAVAILABLE
   */
  readonly exact: Store;
  /** Whether the store answers now. */
  isUp(): boolean;
  close(): void;
}

/** A store in another process: its promises may fail or be late. */
export interface RemoteStore extends Store {
  /** Decides checks, each of which fails by itself: a part of the store may be down. */
  decideEach(checks: readonly Check[]): readonly Promise<Decision>[];
  /** Resolves if it could decide now; charges nothing. */
  ping(): Promise<void>;
}

export interface GuardOptions {
  readonly store: RemoteStore;
  readonly policies: FailurePolicies;
  readonly log: Logger;
  readonly isUp: boolean;
  /** Maximum time for which a check waits for the store. */
  readonly timeout_ms: number;
  /** Called with the time of each answer. */
  readonly onAnswer?: (seconds: number) => void;
}

/**
 * Waits for the store up to the timeout; failure policies decide after a failure or a late answer, and the check is
 * never sent again. A store that fails five times in a row gets no checks until a probe succeeds.
 */
export function guardedStore(options: GuardOptions): GuardedStore {
  const { store, policies, log, isUp, timeout_ms, onAnswer } = options;
  const circuit = new Breaker({
    probe: () => within(store.ping(), timeout_ms),
    timeout_ms,
    starts_open: !isUp,
    onOpen: () => log.warn('the store does not answer: failure policies decide'),
    onClose: () => log.info('the store answers again'),
  });
  const byPolicy = (check: Check): Verdict => ({ denial: policies.decide(check), degraded: true });

  async function ask<T>(question: () => T | Promise<T>): Promise<T> {
    const askedAt = performance.now();
    try {
      const answer = await within(Promise.resolve(question()), timeout_ms);
      circuit.succeeded();
      onAnswer?.((performance.now() - askedAt) / 1000);
      return answer;
    } catch (error) {
      circuit.failed();
      throw error;
    }
  }

  async function decide(checks: readonly Check[]): Promise<readonly Verdict[]> {
    const askedAt = performance.now();
    const outcomes = await eachWithin(store.decideEach(checks), timeout_ms);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) log.debug({ err: failure.reason }, 'failure policies decide');
    if (outcomes.some(({ status }) => status === 'fulfilled')) {
      circuit.succeeded();
      onAnswer?.((performance.now() - askedAt) / 1000);
    } else if (failure !== undefined) circuit.failed();
    return checks.map((check, i) => {
      const outcome = outcomes[i];
      return outcome?.status === 'fulfilled' ? { denial: outcome.value, degraded: false } : byPolicy(check);
    });
  }

  async function exactly<T>(question: () => T | Promise<T>): Promise<T> {
    if (circuit.isOpen()) throw storeUnavailable();
    try {
      return await ask(question);
    } catch (error) {
      throw storeUnavailable(error);
    }
  }

  return {
    decide: (checks) => (circuit.isOpen() ? checks.map(byPolicy) : decide(checks)),
    exact: {
      decide: (checks) => exactly(() => store.decide(checks)),
      read: (buckets) => exactly(() => store.read(buckets)),
      reset: (buckets) => exactly(() => store.reset(buckets)),
    },
    isUp: () => !circuit.isOpen(),
    close: () => circuit.close(),
  };
}

const ADMITTED: Verdict = { denial: undefined, degraded: false };

/** A store in this process: it is always there, and answers without a promise. */
export function presentStore(store: MemoryStore): GuardedStore {
  return {
    decide: (checks) =>
      store.decide(checks).map((denial) => (denial === undefined ? ADMITTED : { denial, degraded: false })),
    exact: store,
    isUp: () => true,
    close: () => undefined,
  };
}
