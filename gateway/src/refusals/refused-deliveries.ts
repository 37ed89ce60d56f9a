import type { Logger } from '@gatehouse/kit/log';
import { type PeriodicJob, periodicJob } from '@gatehouse/kit/periodic-job';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { Refusal } from '@gatehouse/proto/webhook-delivery';
import type { ServiceConnections } from '../connections.ts';
import type { Route } from '../route.ts';

export interface RefusedDeliveriesOptions {
  readonly webhook_delivery: ServiceConnections['webhook_delivery'];
  readonly log: Logger;
  /** A second by default. */
  readonly every_ms?: number;
}

const EVERY_MS = 1_000;
/** Webhooks, formats and reasons of one report. */
const MAX_COUNTS = 1_000;
const REPORT_TIMEOUT_MS = 2_000;

/** The answers that webhook-delivery reports to a webhook's managers, and cannot see itself. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [401, 'wrong_token'],
  [413, 'too_large'],
  [415, 'encoded_body'],
  [429, 'rate_limited'],
]);

/**
 * Counts the executions of webhooks that are refused before their bodies are read, and reports the counts to
 * webhook-delivery once a second. Counts of more than 1,000 webhooks in a second, and those of a failed report, are lost.
 */
export class RefusedDeliveries {
  readonly #options: RefusedDeliveriesOptions;
  readonly #logLost: (error: unknown) => void;
  readonly #job: PeriodicJob;
  #counts = new Map<string, Refusal>();
  #lost = 0;

  constructor(options: RefusedDeliveriesOptions) {
    this.#options = options;
    this.#logLost = throttledLog<unknown>((times, error) => {
      options.log.warn({ err: error, times }, 'refused deliveries were not reported');
    });
    this.#job = periodicJob(options.every_ms ?? EVERY_MS, () => this.#report());
  }

  /** The number of refused executions that were not reported, since the start. */
  lost(): number {
    return this.#lost;
  }

  count(route: Route | undefined, status: number, params: unknown): void {
    if (route?.dialect === undefined) return;
    const reason = REASONS.get(status);
    if (reason === undefined) return;
    const { webhook_id = '' } = params as Record<string, string | undefined>;
    const key = `${webhook_id} ${route.dialect} ${reason}`;
    const known = this.#counts.get(key);
    if (known === undefined && (this.#counts.size >= MAX_COUNTS || !isSnowflake(webhook_id))) {
      this.#lost++;
      return;
    }
    this.#counts.set(key, { webhook_id, dialect: route.dialect, reason, count: (known?.count ?? 0) + 1 });
  }

  /** Reports what is left, and stops. */
  async close(): Promise<void> {
    await this.#job.close();
    await this.#report();
  }

  /** Never rejects. */
  async #report(): Promise<void> {
    if (this.#counts.size === 0) return;
    const refusals = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      const { client } = this.#options.webhook_delivery;
      await client.recordRefusals({ refusals }, { timeoutMs: REPORT_TIMEOUT_MS });
    } catch (error) {
      this.#lost += refusals.reduce((sum, { count }) => sum + count, 0);
      this.#logLost(error);
    }
  }
}
