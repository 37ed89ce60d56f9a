import type { Logger } from '@gatehouse/kit/log';
import { batcher } from '@gatehouse/kit/queues/batch';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { Pool } from 'pg';
import { noteDeliveries } from '../store/deliveries.ts';
import type { Delivery, Dialect, Unposted } from '../store/delivery.ts';
import type { CountDelivery } from './metrics.ts';
import { notedEvent } from './noted-event.ts';
import { refusedReason } from './refused-reason.ts';

/** An execution whose webhook and token are right. */
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
  readonly unposted?: Unposted;
}

/** Runs an execution and returns its answer. If it posted nothing, that is noted first. */
export type TrackExecution = <R>(execution: Execution, run: () => Promise<ExecutionResult<R>>) => Promise<R>;

export interface TrackerOptions {
  readonly db: Pool;
  readonly count: CountDelivery;
  readonly log: Logger;
  /** How long an answer waits for its note; 2 s. */
  readonly timeout_ms?: number;
}

const TIMEOUT_MS = 2_000;

/**
 * Counts executions, and notes those that post nothing (docs/webhooks.md#deliveries). Notes of the same moment share a
 * statement, one statement at a time. A note that cannot be written is lost: the execution's answer stays as it is.
 */
export function executionTracker(options: TrackerOptions): TrackExecution {
  const { db, count, log, timeout_ms = TIMEOUT_MS } = options;
  const write = batcher<Delivery, undefined>({
    run: async (deliveries) => {
      await noteDeliveries(db, deliveries);
      return deliveries.map(() => undefined);
    },
    maxInFlight: 1,
    maxQueue: 1024,
  });
  const sayLost = throttledLog<unknown>((times, error) => {
    log.warn({ err: error, times }, 'deliveries that posted nothing were not noted');
  });

  /** Never fails, and ends within the timeout. */
  function note({ webhook_id, dialect, event }: Execution, unposted: Unposted): Promise<void> {
    count(dialect, unposted.outcome, unposted.reason);
    const delivery = { webhook_id, dialect, event: notedEvent(event), ...unposted };
    return new Promise((done) => {
      const timer = setTimeout(done, timeout_ms);
      write(delivery)
        .catch(sayLost)
        .finally(() => {
          clearTimeout(timer);
          done();
        });
    });
  }

  return async (execution, run) => {
    try {
      const { answer, unposted } = await run();
      if (unposted === undefined) count(execution.dialect, 'posted', '');
      else await note(execution, unposted);
      return answer;
    } catch (error) {
      const reason = refusedReason(error, execution.content_type);
      if (reason !== undefined) await note(execution, { outcome: 'refused', reason });
      throw error;
    }
  };
}
