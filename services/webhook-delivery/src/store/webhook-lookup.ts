import type { Runtime } from '@gatehouse/kit/process/runtime';
import type { Pool } from 'pg';
import { type ExecutedWebhook, findWebhooks } from './webhooks.ts';

/** Looks up webhooks by ID for requests with a token. Concurrent calls share a statement. */
export class WebhookLookup {
  readonly #find: (id: string) => Promise<ExecutedWebhook | undefined>;

  constructor(db: Pool, runtime: Pick<Runtime, 'batcher'>) {
    this.#find = runtime.batcher('find_webhook', { run: (ids) => findWebhooks(db, ids) });
  }

  find(id: string): Promise<ExecutedWebhook | undefined> {
    return this.#find(id);
  }
}
