import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { Pool } from 'pg';
import { insertPosted, trimPosted } from '../store/deliveries.ts';
import type { DeliveryRecord } from '../store/delivery.ts';
import { keepPayloads } from '../store/payloads.ts';
import type { PayloadCopies } from './payload-copies.ts';

export interface PostedLogOptions {
  readonly db: Pool;
  readonly payloads: PayloadCopies;
  readonly log: Logger;
  /** Called with the number of deliveries that were not stored. */
  readonly onLost: (count: number) => void;
  /** How long a delivery waits for others. 250 ms by default. */
  readonly every_ms?: number;
}

const EVERY_MS = 250;
const TRIM_EVERY_MS = 10_000;
/** Deliveries of one statement. */
const MAX_BATCH = 512;
const MAX_WAITING = 4_096;
const MAX_UNTRIMMED = 4_096;

/**
 * Stores deliveries that posted a message, after their answers: the execution does not wait. All of a quarter of a second
 * share a statement. While the database is slow, a bounded number waits, and further ones are lost and counted.
 */
export class PostedLog {
  readonly #options: PostedLogOptions;
  readonly #logLost: (error: unknown) => void;
  #waiting: DeliveryRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #run: Promise<void> | undefined;
  /** Webhooks with new rows since the last trim. */
  readonly #untrimmed = new Set<string>();
  #trimAt = 0;

  constructor(options: PostedLogOptions) {
    this.#options = options;
    this.#logLost = throttledLog<unknown>((times, error) => {
      options.log.warn({ err: error, times }, 'deliveries that posted a message were not stored');
    });
  }

  add(record: DeliveryRecord): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#options.onLost(1);
      this.#options.payloads.release(record.payload);
      return;
    }
    this.#waiting.push(record);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#flush(), this.#options.every_ms ?? EVERY_MS).unref();
  }

  /** Stores what waits, and stops. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#run;
    await this.#storeWaiting();
  }

  #flush(): void {
    this.#run = this.#storeWaiting().finally(() => {
      this.#timer = undefined;
      this.#run = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  /** Never rejects. */
  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#storeBatch(this.#waiting.splice(0, MAX_BATCH));
    if (this.#untrimmed.size > 0 && performance.now() >= this.#trimAt) await this.#trim();
  }

  async #storeBatch(records: readonly DeliveryRecord[]): Promise<void> {
    const { db, payloads, onLost } = this.#options;
    try {
      await insertPosted(
        db,
        records.map(({ delivery }) => delivery),
      );
      for (const { delivery } of records) this.#untrimmed.add(delivery.webhook_id);
      await keepPayloads(db, records);
    } catch (error) {
      onLost(records.length);
      this.#logLost(error);
    } finally {
      for (const { payload } of records) payloads.release(payload);
    }
    if (this.#untrimmed.size >= MAX_UNTRIMMED) await this.#trim();
  }

  async #trim(): Promise<void> {
    const webhookIds = [...this.#untrimmed].slice(0, MAX_UNTRIMMED);
    this.#untrimmed.clear();
    this.#trimAt = performance.now() + TRIM_EVERY_MS;
    await trimPosted(this.#options.db, webhookIds).catch(this.#logLost);
  }
}
