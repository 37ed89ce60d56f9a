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
const AT_ONCE = 100;
/** Messages deleted by one statement, so that none takes long. */
const MESSAGES = 2_000;
/** After deleting messages for this long, the job looks for newly deleted channels. */
const TURN_MS = 250;
/** Far longer than any request: a webhook may be created in a channel while the channel is deleted. */
const SETTLE_MS = 60_000;

/**
 * Deletes what belongs to deleted channels: their webhooks, then their messages. A row of `ended_channels` survives a
 * restart of this process and an outage of webhook-delivery. Webhook-delivery is called at once, again after the
 * settling time for a webhook that was being created, and each time the channel's messages, possibly millions, are
 * continued. All steps are idempotent, also across replicas.
 */
export function openEndedChannels(
  options: EndedChannelsOptions,
): Pick<Outbox<EndedChannel>, 'wake' | 'close'> {
  const { db, prisma, webhookDelivery, log, settle_ms = SETTLE_MS } = options;
  let closed = false;
  // Channels that are claimed together share a call. Only one pass runs at a time, so that requests keep database
  // connections.
  const end = batcher({ name: 'end_channels', maxBatch: AT_ONCE, maxInFlight: 1, run: endChannels });

  const outbox = openOutbox<EndedChannel>({
    rows: {
      claim: (limit, retry_ms) => claimEndedChannels(db, limit, retry_ms, settle_ms),
      forget: ({ channel_id, webhooks_ended, is_settled }) =>
        webhooks_ended || is_settled
          ? forgetEndedChannel(prisma, channel_id)
          : postponeEndedChannel(db, channel_id, settle_ms),
    },
    deliver: async (channel) => {
      const isWhole = await end(channel);
      if (isWhole || closed) return isWhole;
      await releaseEndedChannel(db, channel.channel_id);
      outbox.wake();
      return false;
    },
    what: 'ends of channels',
    log,
    at_once: AT_ONCE,
  });

  /** Returns for each channel whether it is done. */
  async function endChannels(channels: readonly EndedChannel[]): Promise<(boolean | Error)[]> {
    const failure = await endWebhooks(channels.filter(({ webhooks_ended }) => !webhooks_ended));
    const until_ms = performance.now() + TURN_MS;
    const whole: (boolean | Error)[] = [];
    for (const { channel_id, webhooks_ended } of channels) {
      const untold = webhooks_ended ? undefined : failure;
      whole.push(untold ?? (await removeAll(channel_id, until_ms)));
    }
    return whole;
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

  async function removeAll(channel_id: string, until_ms: number): Promise<boolean> {
    while (!closed && performance.now() < until_ms)
      if ((await removeMessages(db, channel_id, MESSAGES)) < MESSAGES) return true;
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
