import type { Job } from '@gatehouse/kit/job';
import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { Pool } from 'pg';
import {
  findSuspensionChanges,
  type SuspensionChange,
  type SuspensionReader,
  suspensionChangeRows,
} from '../store/accounts/suspension-changes.ts';

export interface SuspensionOutboxOptions {
  readonly db: Pool;
  readonly oauth2: Client<typeof Oauth2ServiceDefinition>;
  readonly webhookDelivery: Client<typeof WebhookDeliveryServiceDefinition>;
  readonly log: Logger;
}

/**
 * An operator waits for the first attempt. A later one may take longer: webhook-delivery waits for chat in each page of
 * guilds with webhooks of the account.
 */
const TIMEOUTS_MS = { sent: 1_000, claimed: 10_000 } as const;

/**
 * Sends suspensions and restorations to the services that refuse credentials of suspended accounts. A row of
 * `suspension_changes` stays until its service has confirmed it, through restarts and outages.
 */
export class SuspensionOutbox {
  readonly #db: Pool;
  readonly #outbox: Outbox<SuspensionChange>;
  readonly #closing = new AbortController();

  constructor({ db, oauth2, webhookDelivery, log }: SuspensionOutboxOptions) {
    this.#db = db;
    const readers = { oauth2, 'webhook-delivery': webhookDelivery };
    this.#outbox = openOutbox({
      rows: suspensionChangeRows(db),
      deliver: ({ service, ...change }, cause) =>
        readers[service].setAccountSuspended(change, {
          timeoutMs: TIMEOUTS_MS[cause],
          signal: this.#closing.signal,
        }),
      what: 'suspensions of accounts',
      log,
    });
  }

  /**
   * Sends the unconfirmed changes of an account and its bots, each once, within a second.
   *
   * @returns the services that have not confirmed all of them
   */
  async send(account_id: string): Promise<SuspensionReader[]> {
    await this.#outbox.send(await findSuspensionChanges(this.#db, account_id));
    const unconfirmed = await findSuspensionChanges(this.#db, account_id);
    return [...new Set(unconfirmed.map(({ service }) => service))];
  }

  /** Its background job. */
  get job(): Job {
    return this.#outbox;
  }

  /** Gives up the attempts in hand. Some replica repeats them. */
  readonly close = (): Promise<void> => {
    this.#closing.abort();
    return this.#outbox.close();
  };
}
