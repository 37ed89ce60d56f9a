import { type Bucket, FailurePolicy, LimitKind, type ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import { expect, vi } from 'vitest';
import { RateLimitError, type StatusName } from '../../src/grpc/rate-limit-error.ts';
import { RateLimitsClient } from '../../src/rate-limits-client.ts';
import { failing, type Script, ScriptedTransport } from '../scripted-transport.ts';
import type { BucketRow, Case, Expectation, ServerAnswer, Step } from './read-cases.ts';

const POLICIES = {
  local: FailurePolicy.FAILURE_POLICY_LOCAL,
  open: FailurePolicy.FAILURE_POLICY_OPEN,
  closed: FailurePolicy.FAILURE_POLICY_CLOSED,
};
const KINDS = {
  leaky_bucket: LimitKind.LIMIT_KIND_LEAKY_BUCKET,
  fixed_window: LimitKind.LIMIT_KIND_FIXED_WINDOW,
  concurrency: LimitKind.LIMIT_KIND_CONCURRENCY,
};

interface Outcome {
  readonly denial: unknown;
  readonly error: StatusName | undefined;
  readonly called: boolean;
}

/** Takes the steps of a case. Vitest's timers must be in force. */
export class CaseRun {
  readonly #case: Case;
  readonly #transport = new ScriptedTransport();
  readonly #limits: RateLimitsClient<undefined>;
  #now_us = 0;

  constructor(one: Case) {
    this.#case = one;
    this.#limits = new RateLimitsClient(this.#transport, {
      served: served(one.buckets),
      now_us: () => this.#now_us,
      ...(one.replicas !== undefined && { replicas: one.replicas }),
    });
  }

  async take(step: Step): Promise<void> {
    this.#transport.script = this.#scriptOf(step);
    await this.#moveTo(step.at_us);
    const outcomes = step.check || step.refund ? await this.#outcomesOf(step) : [];
    await this.#moveTo(this.#now_us); // lets a turn of the event loop pass
    const { expect: expectation = {} } = step;
    for (const outcome of outcomes) expectOutcome(outcome, expectation);
    this.#expectState(expectation);
  }

  close(): void {
    this.#limits.close();
  }

  #scriptOf({ server = this.#case.server, rules, probe }: Step): Script {
    if (rules !== undefined) return { listBuckets: () => Promise.resolve(served(rules)) };
    // Its revision is the client's, so that the rules stay.
    if (probe && server?.answers) return { listBuckets: () => Promise.resolve(served(this.#case.buckets)) };
    if (probe || server === undefined) return {};
    return {
      check: async () => {
        await this.#answer(server);
        return { denial: null, degraded: false, ...server.decides };
      },
      refund: async () => {
        await this.#answer(server);
        return {};
      },
    };
  }

  async #answer({ takes_us = 0, fails }: ServerAnswer): Promise<void> {
    await Promise.resolve(); // checks made together leave before the first answer
    this.#now_us += takes_us;
    if (fails !== undefined) await failing(fails as StatusName);
  }

  async #moveTo(at_us: number): Promise<void> {
    const step_ms = Math.floor(at_us / 1000) - Math.floor(this.#now_us / 1000);
    this.#now_us = Math.max(this.#now_us, at_us);
    await vi.advanceTimersByTimeAsync(Math.max(0, step_ms));
  }

  async #outcomesOf(step: Step): Promise<Outcome[]> {
    const { times = 1, first = 0, every_us = 0, together = false } = step;
    const numbers = Array.from({ length: times }, (_, n) => first + n);
    if (together) return Promise.all(numbers.map((n) => this.#act(step, n)));
    const outcomes: Outcome[] = [];
    for (const n of numbers) {
      if (every_us > 0) await this.#moveTo(step.at_us + (n - first) * every_us);
      outcomes.push(await this.#act(step, n));
    }
    return outcomes;
  }

  async #act({ check = [], refund }: Step, n: number): Promise<Outcome> {
    const { calls } = this.#transport;
    const before = calls.length;
    const sets = check.map((set) => ({
      charges: set.map((charge) => ({
        ...charge,
        identities: charge.identities.map((identity) => identity.replace('{n}', String(n))),
      })),
    }));
    try {
      const action = refund === undefined ? this.#limits.check(sets) : this.#limits.refund(refund);
      const called = calls.length > before;
      return { denial: (await action) ?? null, error: undefined, called };
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
      return { denial: undefined, error: error.status, called: calls.length > before };
    }
  }

  #expectState({ breaker, remembered, remembered_at_most }: Expectation): void {
    if (breaker !== undefined) expect(this.#limits.isBreakerOpen()).toBe(breaker === 'open');
    if (remembered !== undefined) expect(this.#limits.remembered()).toBe(remembered);
    if (remembered_at_most !== undefined)
      expect(this.#limits.remembered()).toBeLessThanOrEqual(remembered_at_most);
  }
}

function expectOutcome(outcome: Outcome, { denial, error, called }: Expectation): void {
  expect(outcome.error).toBe(error);
  if (denial === null) expect(outcome.denial).toBeNull();
  else if (denial !== undefined) expect(outcome.denial).toMatchObject(denial);
  if (called !== undefined) expect(outcome.called, 'the server was called').toBe(called);
}

function served(rows: readonly BucketRow[]): ListBucketsResponse {
  const buckets = rows.map(
    ({ policy = 'local', kind = 'leaky_bucket', key, aliases = [], ...row }): Bucket => ({
      ...row,
      key: [...key],
      aliases: [...aliases],
      policy: POLICIES[policy],
      kind: KINDS[kind],
    }),
  );
  return { buckets, revision: JSON.stringify(rows) };
}
