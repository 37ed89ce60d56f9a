import { isOutage } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { batcher } from '@gatehouse/kit/queues/batch';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { Pool } from 'pg';
import { insertUnposted } from '../store/deliveries.ts';
import type { Delivery, DeliveryRecord, Dialect, Origin, UnpostedOutcome } from '../store/delivery.ts';
import { keepPayloads } from '../store/payloads.ts';
import type { ExecutedWebhook } from '../store/webhooks.ts';
import { eventName } from './event-name.ts';
import type { CountExecution } from './metrics.ts';
import type { PayloadCopies } from './payload-copies.ts';
import type { PostedLog } from './posted-log.ts';
import { refusedReason } from './refused-reason.ts';
import { refusedStatus } from './refused-status.ts';

/** An execution with the right token. */
export interface Execution {
  readonly dialect: Dialect;
  readonly webhook: ExecutedWebhook;
  readonly content_type?: string | null | undefined;
  /** The X-Codehost-Event header. */
  readonly event?: string | null | undefined;
  readonly body: Uint8Array;
  /** The status of an answer that is no error. */
  readonly status: number;
  readonly origin?: Origin;
  readonly retry_of?: string;
}

/** The answer of an execution, and the message that it posted, or why it posted none. */
export type ExecutionResult<R> =
  | { readonly answer: R; readonly message_id: string }
  | { readonly answer: R; readonly unposted: UnpostedOutcome };

export interface TrackerOptions {
  readonly db: Pool;
  readonly ids: () => string;
  readonly posted: PostedLog;
  readonly payloads: PayloadCopies;
  readonly count: CountExecution;
  /** Called with the number of deliveries that were not stored. */
  readonly onLost: (count: number) => void;
  readonly log: Logger;
  /** How long an answer waits until its delivery is stored; 2 s by default. */
  readonly timeout_ms?: number;
}

const STORE_TIMEOUT_MS = 2_000;

/**
 * Counts executions and stores their deliveries (docs/webhooks.md#deliveries). One that posted a message is stored after
 * the answer. One that posted nothing is stored before it; concurrent ones share a statement, one statement at a time. A
 * delivery that cannot be stored is lost and counted; the answer of the execution stays the same.
 */
export class ExecutionTracker {
  readonly #options: TrackerOptions;
  readonly #store: (record: DeliveryRecord) => Promise<undefined>;
  readonly #lose: (error: unknown) => void;

  constructor(options: TrackerOptions) {
    const { db, log, onLost } = options;
    this.#options = options;
    this.#store = batcher<DeliveryRecord, undefined>({
      run: async (records) => {
        await insertUnposted(
          db,
          records.map(({ delivery }) => delivery),
        );
        await keepPayloads(db, records);
        return records.map(() => undefined);
      },
      maxInFlight: 1,
      maxQueue: 1024,
    });
    const logLost = throttledLog<unknown>((times, error) => {
      log.warn({ err: error, times }, 'deliveries were not stored');
    });
    this.#lose = (error) => {
      onLost(1);
      logLost(error);
    };
  }

  /** Runs an execution and returns its answer. */
  async track<R>(execution: Execution, run: () => Promise<ExecutionResult<R>>): Promise<R> {
    try {
      const result = await run();
      await this.#recordResult(execution, result);
      return result.answer;
    } catch (error) {
      await this.#recordError(execution, error);
      throw error;
    }
  }

  /**
   * Runs an execution for a manager, and returns its delivery. An error that a sender would get is its reason.
   *
   * @throws the error of an execution with an unknown outcome
   */
  async deliver<R>(execution: Execution, run: () => Promise<ExecutionResult<R>>): Promise<Delivery> {
    let result: ExecutionResult<R>;
    try {
      result = await run();
    } catch (error) {
      const delivery = await this.#recordError(execution, error);
      if (delivery === undefined || isOutage(error)) throw error;
      return delivery;
    }
    return this.#recordResult(execution, result);
  }

  /** Waits only for a delivery that posted nothing. */
  #recordResult<R>(execution: Execution, result: ExecutionResult<R>): Delivery | Promise<Delivery> {
    if ('unposted' in result) return this.#recordUnposted(execution, result.unposted, execution.status);
    const { count, posted } = this.#options;
    count(execution.dialect, 'posted', '');
    const { message_id } = result;
    const { channel_id } = execution.webhook;
    const delivery = this.#delivery(execution, {
      outcome: 'posted',
      reason: '',
      message_id,
      channel_id,
      status: execution.status,
    });
    posted.add({ delivery, payload: this.#copyOf(execution) });
    return delivery;
  }

  async #recordError(execution: Execution, error: unknown): Promise<Delivery | undefined> {
    const reason = refusedReason(error, execution.content_type);
    if (reason === undefined) return undefined;
    return this.#recordUnposted(execution, { outcome: 'refused', reason }, refusedStatus(error));
  }

  /** Never rejects. Resolves within the timeout. */
  #recordUnposted(execution: Execution, unposted: UnpostedOutcome, status: number): Promise<Delivery> {
    const { count, payloads, timeout_ms = STORE_TIMEOUT_MS } = this.#options;
    count(execution.dialect, unposted.outcome, unposted.reason);
    const delivery = this.#delivery(execution, { ...unposted, message_id: null, channel_id: null, status });
    const payload = this.#copyOf(execution);
    return new Promise((done) => {
      const timer = setTimeout(() => done(delivery), timeout_ms);
      this.#store({ delivery, payload })
        .catch(this.#lose)
        .finally(() => {
          payloads.release(payload);
          clearTimeout(timer);
          done(delivery);
        });
    });
  }

  #delivery(
    { webhook, dialect, event, origin = 'sender', retry_of }: Execution,
    outcome: Pick<Delivery, 'outcome' | 'reason' | 'message_id' | 'channel_id' | 'status'>,
  ): Delivery {
    const id = this.#options.ids();
    return {
      id,
      webhook_id: webhook.id,
      dialect,
      event: eventName(event),
      origin,
      retry_of: retry_of ?? null,
      ...outcome,
    };
  }

  /** Only a sender's payload is kept: that of a retry is kept already, and a test can be repeated. */
  #copyOf(execution: Execution) {
    const { webhook, origin = 'sender' } = execution;
    return webhook.keeps_payloads && origin === 'sender' ? this.#options.payloads.copy(execution) : undefined;
  }
}
