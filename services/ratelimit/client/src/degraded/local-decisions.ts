import type { Counts } from '../counts.ts';
import type { Charge, Check, Denial } from '../leaky-bucket/store.ts';
import { Sweeper } from '../leaky-bucket/sweeper.ts';
import type { Logger } from '../logger.ts';
import { FailurePolicies, type FailurePoliciesOptions, type PolicyRule } from './failure-policies.ts';
import { OutageLog } from './outage-log.ts';

export interface LocalDecisionsOptions extends FailurePoliciesOptions {
  /** False: every check passes. */
  readonly enforced: boolean;
  readonly counts: Pick<Counts, 'local'>;
  readonly log: Logger;
}

/** Decides checks in this process while ratelimit does not answer. */
export class LocalDecisions {
  readonly #isEnforced: boolean;
  readonly #counts: Pick<Counts, 'local'>;
  readonly #policies: FailurePolicies;
  readonly #sweeper: Sweeper;
  readonly #outage: OutageLog;

  constructor(options: LocalDecisionsOptions) {
    const { enforced, counts, now_us, log } = options;
    this.#isEnforced = enforced;
    this.#counts = counts;
    this.#policies = new FailurePolicies(options);
    this.#sweeper = new Sweeper(this.#policies.store, now_us, log);
    this.#outage = new OutageLog(log);
  }

  /**
   * Decides a check by the failure policies; counts and logs it.
   *
   * @param cause the error of the call to ratelimit, if one was made
   */
  decide(check: () => Check, cause?: unknown): Denial | undefined {
    this.#counts.local++;
    this.#outage.decidedLocally(cause);
    return this.#isEnforced ? this.#policies.decide(check()) : undefined;
  }

  /** Ends leases that this process granted. */
  release(leases: readonly Charge[]): void {
    this.#policies.release(leases);
  }

  setRules(rules: readonly PolicyRule[]): void {
    this.#policies.setRules(rules);
  }

  /** Call it for each answer of ratelimit. */
  answered(): void {
    this.#outage.answered();
  }

  /** Call it when ratelimit answers again after the breaker was open. */
  outageEnded(): void {
    this.#outage.outageEnded();
  }

  close(): void {
    this.#sweeper.close();
  }
}
