import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { Breaker } from '@gatehouse/ratelimit-client/degraded/breaker';
import type { FailurePolicies } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import type { Check, Decision, Outcome, Store } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { storeUnavailable } from '../errors.ts';
import { allSettledOrTimeout, orTimeout } from '../or-timeout.ts';
import { isWithdrawn } from '../withdrawn.ts';
import { ADMITTED, NOT_MADE, type Verdict } from './verdict.ts';

/** A store that always decides. */
export interface GuardedStore {
  decide(check: Check): Verdict | Promise<Verdict>;
  /** Decides a check, and reads its buckets in the same step. */
  decideAndRead(check: Check): Verdict | Promise<Verdict>;
  /** Decides independent checks, in order. */
  decideMany(checks: readonly Check[]): readonly Verdict[] | Promise<readonly Verdict[]>;
  /**
   * The store without failure policies.
   *
   * @throws Fault UNAVAILABLE
   */
  readonly exact: Omit<Store, 'decide'>;
  /** Whether the store answers now. */
  isUp(): boolean;
  close(): void;
}

/** A store in another process: its promises may fail or be late. */
export interface RemoteStore extends Store {
  /** Decides checks. Each fails by itself, since a part of the store may be down. */
  decideEach(checks: readonly Check[], withStates: boolean): readonly Promise<Outcome>[];
  /** Resolves if the store answers; charges nothing. */
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
 * Waits for the store up to the timeout. After a failure or a timeout, failure policies decide, unless the check is
 * withdrawn, and the check is not sent again. A store that fails five times in a row gets no checks until a probe succeeds.
 */
export function guardedStore(options: GuardOptions): GuardedStore {
  const { store, policies, log, isUp, timeout_ms, onAnswer } = options;
  const breaker = new Breaker({
    probe: () => orTimeout(store.ping(), timeout_ms),
    timeout_ms,
    starts_open: !isUp,
    onOpen: () => log.warn('the store does not answer: failure policies decide'),
    onClose: () => log.warn('the store answers again'),
  });
  const byPolicy = (check: Check): Verdict => ({
    denial: policies.decide(check),
    states: [],
    degraded: true,
  });

  async function call<T>(make: () => T | Promise<T>): Promise<T> {
    const startedAt_ms = performance.now();
    try {
      const answer = await orTimeout(Promise.resolve(make()), timeout_ms);
      breaker.succeeded();
      onAnswer?.((performance.now() - startedAt_ms) / 1000);
      return answer;
    } catch (error) {
      breaker.failed();
      throw error;
    }
  }

  async function askStore(checks: readonly Check[], withStates = false): Promise<readonly Verdict[]> {
    const startedAt_ms = performance.now();
    const outcomes = await allSettledOrTimeout(store.decideEach(checks, withStates), timeout_ms);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected' && !isUnsent(outcome.reason));
    if (failure?.status === 'rejected') log.debug({ err: failure.reason }, 'failure policies decide');
    if (outcomes.some(({ status }) => status === 'fulfilled')) {
      breaker.succeeded();
      onAnswer?.((performance.now() - startedAt_ms) / 1000);
    } else if (failure !== undefined) breaker.failed();
    return checks.map((check, i) => {
      const outcome = outcomes[i];
      if (outcome?.status === 'fulfilled') return { ...outcome.value, degraded: false };
      return isWithdrawn(check) ? NOT_MADE : byPolicy(check);
    });
  }

  function askStoreOnce(check: Check, withStates: boolean): Promise<Verdict> {
    return askStore([check], withStates).then(([verdict = ADMITTED]) => verdict);
  }

  async function callExact<T>(make: () => T | Promise<T>): Promise<T> {
    if (breaker.isOpen()) throw storeUnavailable();
    try {
      return await call(make);
    } catch (error) {
      throw storeUnavailable(error);
    }
  }

  return {
    decide: (check) => (breaker.isOpen() ? byPolicy(check) : askStoreOnce(check, false)),
    decideAndRead: (check) => (breaker.isOpen() ? byPolicy(check) : askStoreOnce(check, true)),
    decideMany: (checks) => (breaker.isOpen() ? checks.map(byPolicy) : askStore(checks)),
    exact: {
      decideAndRead: (check) => callExact(() => store.decideAndRead(check)),
      read: (buckets) => callExact(() => store.read(buckets)),
      reset: (buckets) => callExact(() => store.reset(buckets)),
    },
    isUp: () => !breaker.isOpen(),
    close: () => breaker.stop(),
  };
}

/** Whether a withdrawn check was not sent, which is no failure of the store. */
function isUnsent(reason: unknown): boolean {
  return reason instanceof Fault && reason.status === Status.CANCELLED;
}

/** A store in this process. It always answers, and without a promise. */
export function localStore(store: MemoryStore): GuardedStore {
  return {
    decide: (check) => verdictOf(store.decideOne(check)),
    decideAndRead: (check) => ({ ...store.decideAndRead(check), degraded: false }),
    decideMany: (checks) => store.decide(checks).map(verdictOf),
    exact: store,
    isUp: () => true,
    close: () => undefined,
  };
}

function verdictOf(denial: Decision): Verdict {
  return denial === undefined ? ADMITTED : { denial, states: [], degraded: false };
}
