import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import { batcher } from '@gatehouse/kit/queues/batch';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type { Pool } from 'pg';
import {
  claimEndedChannels,
  type EndedChannel,
  forgetEndedChannel,
  postponeEndedChannel,
  releaseEndedChannel,
  removeMessages,
} from '../store/channels/ended-channels.ts';
import type { PrismaClient } from '../store/prisma.ts';

interface EndedChannelsOptions {
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
 * Deletes what belongs to deleted channels: their webhooks, then their messages. A row of `ended_channels` survives a
 * restart of this process and an outage of webhook-delivery. Webhook-delivery is called at once, and again
 * after the settling time, in case a webhook was being created. A channel may have millions of messages, which are deleted
 * in several rounds; each round calls webhook-delivery. All steps are idempotent, also across replicas.
 */
export function openEndedChannels(
  options: EndedChannelsOptions,
): Pick<Outbox<EndedChannel>, 'wake' | 'close'> {
  const { db, prisma, webhookDelivery, log, settle_ms = SETTLE_MS } = options;
  let closed = false;
  // Channels that are claimed together share a call. One round runs at a time, so that requests keep database connections.
  const end = batcher({ name: 'end_channels', maxBatch: MAX_AT_ONCE, maxInFlight: 1, run: endChannels });

  const outbox = openOutbox<EndedChannel>({
    rows: {
      claim: (limit, retry_ms) => claimEndedChannels(db, limit, retry_ms, settle_ms),
      forget: ({ channel_id, webhooks_ended, is_settled }) =>
        webhooks_ended || is_settled
          ? forgetEndedChannel(prisma, channel_id)
          : postponeEndedChannel(db, channel_id, settle_ms),
    },
    deliver: async (channel) => {
      const isDone = await end(channel);
      if (isDone || closed) return isDone;
      await releaseEndedChannel(db, channel.channel_id);
      outbox.wake();
      return false;
    },
    what: 'ends of channels',
    log,
    at_once: MAX_AT_ONCE,
  });

  /** Returns for each channel whether it is done. */
  async function endChannels(channels: readonly EndedChannel[]): Promise<(boolean | Error)[]> {
    const failure = await endWebhooks(channels.filter(({ webhooks_ended }) => !webhooks_ended));
    const until_ms = performance.now() + ROUND_MS;
    const outcomes: (boolean | Error)[] = [];
    for (const { channel_id, webhooks_ended } of channels) {
      const blocker = webhooks_ended ? undefined : failure;
      outcomes.push(blocker ?? (await removeMessagesUntil(until_ms, channel_id)));
    }
    return outcomes;
  }

  async function endWebhooks(channels: readonly EndedChannel[]): Promise<Error | undefined> {
    if (channels.length === 0) return undefined;
    const channel_ids = channels.map(({ channel_id }) => channel_id);
    try {
      await webhookDelivery.endChannels({ channel_ids }, { timeoutMs: TIMEOUT_MS, caller: anonymous });
      return undefined;
    } catch (error) {
      return new Error('webhook-delivery cannot end the webhooks of deleted channels', { cause: error });
    }
  }

  /** Returns whether no message is left. */
  async function removeMessagesUntil(until_ms: number, channel_id: string): Promise<boolean> {
    while (!closed && performance.now() < until_ms)
      if ((await removeMessages(db, channel_id, MESSAGES_AT_ONCE)) < MESSAGES_AT_ONCE) return true;
    return false;
  }

  return {
    wake: outbox.wake,
    close: () => {
      closed = true;
      return outbox.close();
    },
  };
}
