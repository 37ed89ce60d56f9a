import type { Job } from '@gatehouse/kit/job';
import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import { batcher } from '@gatehouse/kit/queues/batch';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { Pool } from 'pg';
import {
  claimDeletedChannels,
  type DeletedChannel,
  deleteDeletedChannelRow,
  deleteOldestMessages,
  postponeDeletedChannel,
  releaseDeletedChannel,
} from '../store/channels/deleted-channels.ts';
import type { PrismaClient } from '../store/prisma.ts';

interface DeletedChannelsOptions {
  readonly db: Pool;
  readonly prisma: PrismaClient;
  readonly webhookDelivery: Client<typeof WebhookDeliveryServiceDefinition>;
  readonly log: Logger;
  readonly settle_ms?: number | undefined;
}

const TIMEOUT_MS = 2_000;
const MAX_AT_ONCE = 100;
/** Messages per statement, so that none takes long. */
const MESSAGES_AT_ONCE = 2_000;
/** After deleting messages for this long, the job looks for newly deleted channels. */
const ROUND_MS = 250;
/** Far longer than any request: a webhook may be created in a channel while the channel is deleted. */
const SETTLE_MS = 60_000;

/**
 * Empties deleted channels: deletes their webhooks, then their messages. A row of `ended_channels` survives a restart
 * of this process and an outage of webhook-delivery. A channel is emptied in rounds, because it may have millions of
 * messages; each round calls webhook-delivery. After the settling time it is emptied once more, in case a webhook was
 * being created. All steps are idempotent, also across replicas.
 */
export class DeletedChannels {
  readonly #options: DeletedChannelsOptions;
  readonly #outbox: Outbox<DeletedChannel>;
  #closed = false;
  /**
   * Channels that are claimed together share a round. One runs at a time, so that requests keep database connections.
   */
  readonly #emptyTogether = batcher<DeletedChannel, boolean>({
    name: 'end_channels',
    maxBatch: MAX_AT_ONCE,
    maxInFlight: 1,
    run: (channels) => this.#runRound(channels),
  });

  constructor(options: DeletedChannelsOptions) {
    const { db, prisma, log, settle_ms = SETTLE_MS } = options;
    this.#options = options;
    this.#outbox = openOutbox({
      rows: {
        claim: (limit, retry_ms) => claimDeletedChannels(db, limit, retry_ms, settle_ms),
        complete: ({ channel_id, has_webhooks, is_settled }) =>
          has_webhooks && !is_settled
            ? postponeDeletedChannel(db, channel_id, settle_ms)
            : deleteDeletedChannelRow(prisma, channel_id),
      },
      deliver: (channel) => this.#empty(channel),
      what: 'ends of channels',
      log,
      at_once: MAX_AT_ONCE,
    });
  }

  get job(): Job {
    return this.#outbox;
  }

  readonly wake = (): void => this.#outbox.wake();

  readonly close = (): Promise<void> => {
    this.#closed = true;
    return this.#outbox.close();
  };

  /** Returns whether the channel is empty. If it is not, its next round is due at once. */
  async #empty(channel: DeletedChannel): Promise<boolean> {
    const isEmpty = await this.#emptyTogether(channel);
    if (isEmpty || this.#closed) return isEmpty;
    await releaseDeletedChannel(this.#options.db, channel.channel_id);
    this.#outbox.wake();
    return false;
  }

  /** Returns for each channel whether it is empty, or why its webhooks could not be deleted. */
  async #runRound(channels: readonly DeletedChannel[]): Promise<(boolean | Error)[]> {
    const failure = await this.#deleteWebhooks(channels.filter(({ has_webhooks }) => has_webhooks));
    const until_ms = performance.now() + ROUND_MS;
    const outcomes: (boolean | Error)[] = [];
    for (const { channel_id, has_webhooks } of channels) {
      const blocker = has_webhooks ? failure : undefined;
      outcomes.push(blocker ?? (await this.#deleteMessages(until_ms, channel_id)));
    }
    return outcomes;
  }

  async #deleteWebhooks(channels: readonly DeletedChannel[]): Promise<Error | undefined> {
    if (channels.length === 0) return undefined;
    const channel_ids = channels.map(({ channel_id }) => channel_id);
    const { webhookDelivery } = this.#options;
    try {
      await webhookDelivery.endChannels({ channel_ids }, { timeoutMs: TIMEOUT_MS, caller: anonymous });
      return undefined;
    } catch (error) {
      return new Error('webhook-delivery cannot end the webhooks of deleted channels', { cause: error });
    }
  }

  /** Returns whether no message is left. */
  async #deleteMessages(until_ms: number, channel_id: string): Promise<boolean> {
    while (!this.#closed && performance.now() < until_ms)
      if ((await deleteOldestMessages(this.#options.db, channel_id, MESSAGES_AT_ONCE)) < MESSAGES_AT_ONCE)
        return true;
    return false;
  }
}
