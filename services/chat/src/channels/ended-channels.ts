import type { Logger } from '@gatehouse/kit/log';
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
} from '../store/ended-channels.ts';

/** Ends what hung on channels that are gone: their webhooks, then their messages. */
export interface EndedChannels {
  /** Looks for some at once. Never throws. */
  wake(): void;
  close(): Promise<void>;
}

interface EndedChannelsOptions {
  readonly db: Pool;
  readonly webhookDelivery: Client<typeof WebhookDeliveryServiceDefinition>;
  readonly log: Logger;
  readonly settle_ms?: number | undefined;
}

/** How long one attempt has a channel to itself. */
const LEASE_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const TIMEOUT_MS = 2_000;
const AT_ONCE = 100;
/** Of one statement, so that none is long. */
const MESSAGES = 2_000;
/** After so long of removing messages it looks for channels that have ended meanwhile. */
const TURN_MS = 250;
/** Far longer than any request lasts: a webhook may be created in a channel just while it ends. */
const SETTLE_MS = 60_000;

/**
 * The row of `ended_channels` outlives this process and any outage of webhook-delivery. Webhook-delivery is told at
 * once and, of a webhook that was being created then, once more when that has settled; and each time that the messages
 * of a channel, which may be millions, have their turn. Whatever is done twice, by two replicas even, changes nothing.
 */
export function openEndedChannels(options: EndedChannelsOptions): EndedChannels {
  const { db, webhookDelivery, log, settle_ms = SETTLE_MS } = options;
  let looking: Promise<void> | undefined;
  let once_more = false;
  let closed = false;

  async function look(): Promise<void> {
    while (!closed) {
      const channels = await claimEndedChannels(db, AT_ONCE, LEASE_MS, settle_ms);
      if (channels.length === 0) return;
      const told = await endWebhooks(channels.filter(({ webhooks_ended }) => !webhooks_ended));
      const until_ms = performance.now() + TURN_MS;
      for (const channel of channels) if (told || channel.webhooks_ended) await end(channel, until_ms);
    }
  }

  async function endWebhooks(channels: readonly EndedChannel[]): Promise<boolean> {
    if (channels.length === 0) return true;
    const channel_ids = channels.map(({ channel_id }) => channel_id);
    try {
      await webhookDelivery.endChannels({ channel_ids }, { timeoutMs: TIMEOUT_MS, caller: anonymous });
      return true;
    } catch (error) {
      log.warn(
        { err: error, channels: channel_ids.length },
        'webhook-delivery has not ended the webhooks of channels that are gone; trying again',
      );
      return false;
    }
  }

  async function end(channel: EndedChannel, until_ms: number): Promise<void> {
    const { channel_id, webhooks_ended, is_settled } = channel;
    let isWhole = false;
    while (!closed && !isWhole && performance.now() < until_ms)
      isWhole = (await removeMessages(db, channel_id, MESSAGES)) < MESSAGES;
    if (closed) return;
    if (!isWhole) await releaseEndedChannel(db, channel_id);
    else if (webhooks_ended || is_settled) await forgetEndedChannel(db, channel_id);
    else await postponeEndedChannel(db, channel_id, settle_ms);
  }

  function wake(): void {
    if (closed) return;
    if (looking !== undefined) {
      once_more = true;
      return;
    }
    looking = look()
      .catch((error: unknown) => log.warn({ err: error }, 'channels that are gone could not be ended'))
      .finally(() => {
        looking = undefined;
        if (!once_more) return;
        once_more = false;
        wake();
      });
  }

  const timer = setInterval(() => {
    if (looking === undefined) wake();
  }, LOOK_EVERY_MS).unref();

  return {
    wake,
    close: async () => {
      closed = true;
      clearInterval(timer);
      await looking;
    },
  };
}
