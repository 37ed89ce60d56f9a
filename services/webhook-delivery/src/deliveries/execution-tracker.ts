import type { Logger } from '@gatehouse/kit/log';
import { batcher } from '@gatehouse/kit/queues/batch';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { Pool } from 'pg';
import { insertDeliveries } from '../store/deliveries.ts';
import type { Delivery, Dialect, UnpostedOutcome } from '../store/delivery.ts';
import { eventName } from './event-name.ts';
import type { CountExecution } from './metrics.ts';
import { refusedReason } from './refused-reason.ts';

/** An execution with the right token. */
export interface Execution {
  readonly dialect: Dialect;
  readonly webhook_id: string;
  readonly content_type?: string | null | undefined;
  /** The X-Codehost-Event header. */
  readonly event?: string | null | undefined;
}

/** The answer of an execution. Without `unposted` it posted a message. */
export interface ExecutionResult<R> {
  readonly answer: R;
  readonly unposted?: UnpostedOutcome;
}

export interface TrackerOptions {
  readonly db: Pool;
  readonly count: CountExecution;
  readonly log: Logger;
  /** How long an answer waits until its delivery is stored; 2 s by default. */
  readonly timeout_ms?: number;
}

const STORE_TIMEOUT_MS = 2_000;

/**
 * Counts executions, and stores a delivery for each that posts nothing (docs/webhooks.md#deliveries). Concurrent
 * deliveries share a statement, one statement at a time. A delivery that cannot be stored is lost; the answer of the
 * execution stays the same.
 */
export class ExecutionTracker {
  readonly #count: CountExecution;
  readonly #timeout_ms: number;
  readonly #store: (delivery: Delivery) => Promise<undefined>;
  readonly #logLost: (error: unknown) => void;

  constructor({ db, count, log, timeout_ms = STORE_TIMEOUT_MS }: TrackerOptions) {
    this.#count = count;
    this.#timeout_ms = timeout_ms;
    this.#store = batcher<Delivery, undefined>({
      run: async (deliveries) => {
        await insertDeliveries(db, deliveries);
        return deliveries.map(() => undefined);
      },
      maxInFlight: 1,
      maxQueue: 1024,
    });
    this.#logLost = throttledLog<unknown>((times, error) => {
      log.warn({ err: error, times }, 'deliveries were not stored');
    });
  }

  /** Runs an execution and returns its answer. If it posted nothing, its delivery is stored first. */
  async track<R>(execution: Execution, run: () => Promise<ExecutionResult<R>>): Promise<R> {
    try {
      const { answer, unposted } = await run();
      if (unposted === undefined) this.#count(execution.dialect, 'posted', '');
      else await this.#record(execution, unposted);
      return answer;
    } catch (error) {
      const reason = refusedReason(error, execution.content_type);
      if (reason !== undefined) await this.#record(execution, { outcome: 'refused', reason });
      throw error;
    }
  }

  /** Never rejects. Resolves within the timeout. */
  #record({ webhook_id, dialect, event }: Execution, unposted: UnpostedOutcome): Promise<void> {
    this.#count(dialect, unposted.outcome, unposted.reason);
    const delivery = { webhook_id, dialect, event: eventName(event), ...unposted };
    return new Promise((done) => {
      const timer = setTimeout(done, this.#timeout_ms);
      this.#store(delivery)
        .catch(this.#logLost)
        .finally(() => {
          clearTimeout(timer);
          done();
        });
    });
  }
}
