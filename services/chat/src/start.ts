import { fileURLToPath } from 'node:url';
import { batcher } from '@gatehouse/kit/batch';
import type { Clock } from '@gatehouse/kit/clock';
import { migrate } from '@gatehouse/kit/db/migrate';
import { openPool } from '@gatehouse/kit/db/pool';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { connect, implement, openCertificates, serve } from '@gatehouse/kit/rpc';
import { snowflakes } from '@gatehouse/kit/snowflake';
import { openPictureChanges } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { connectRateLimits } from '@gatehouse/ratelimit-client';
import { profileLimits } from '@gatehouse/ratelimit-client/profile-limits';
import { openEndedChannels } from './channels/ended-channels.ts';
import type { Config } from './config.ts';
import { eventRetention } from './events/event-retention.ts';
import { eventTail } from './events/event-tail.ts';
import { chatHandlers } from './rpc/index.ts';
import { readCurrentSnapshot, readNews } from './store/event-log.ts';
import { EXPIRED } from './store/expired-rows.ts';
import { pictureNotes } from './store/picture-changes.ts';
import { postMessages } from './store/post-messages.ts';
import { openRecords } from './store/records.ts';
import { usersOf } from './users.ts';

export interface Overrides {
  readonly log?: Logger;
  /** The time in new IDs, and so of messages. */
  readonly clock?: Clock;
  /** How often the retention job looks, instead of each minute. */
  readonly background_every_ms?: number;
  /** After how long webhook-delivery is told again of a channel that has ended, instead of a minute. */
  readonly ended_channels_settle_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Brings the database up to date and serves ChatService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'chat', level: config.log_level });
  return opening(log, async (resources) => {
    const { rpc_tls: files } = config;
    const certificates = files && openCertificates({ files, name: 'chat', log });
    resources.add('certificates', () => certificates?.close());
    await migrate({ database_url: config.database_url, dir: MIGRATIONS, log });
    const db = openPool({
      database_url: config.database_url,
      application_name: 'chat',
      max: config.database_pool_size,
      log,
    });
    resources.add('database', () => db.end());
    const records = openRecords(db);
    resources.add('records', () => records.$disconnect());
    const auth = connect(AuthServiceDefinition, {
      address: config.auth_address,
      transport: config.rpc_transport,
      log,
      tls: certificates && { certificates, peer: 'auth' },
    });
    resources.add('auth', () => auth.close());
    const limits = connectRateLimits(config.ratelimit_address, {
      transport: config.rpc_transport,
      log,
      tls: certificates && { certificates, peer: 'ratelimit' },
      lists_buckets: false,
      max_buckets: 100_000,
    });
    resources.add('rate limits', limits.close);
    const webhookDelivery = connect(WebhookDeliveryServiceDefinition, {
      address: config.webhook_delivery_address,
      transport: config.rpc_transport,
      log,
      tls: certificates && { certificates, peer: 'webhook-delivery' },
    });
    resources.add('webhook-delivery', () => webhookDelivery.close());
    const endedChannels = openEndedChannels({
      db,
      webhookDelivery: webhookDelivery.client,
      log,
      settle_ms: overrides.ended_channels_settle_ms,
    });
    resources.add('ended channels', endedChannels.close);
    const media = connect(MediaServiceDefinition, {
      address: config.media_address,
      transport: config.rpc_transport,
      log,
      tls: certificates && { certificates, peer: 'media' },
    });
    resources.add('media', () => media.close());
    const pictureChanges = openPictureChanges({ notes: pictureNotes(db), media: media.client, log });
    resources.add('picture changes', () => pictureChanges.close());
    resources.add(
      'retention job',
      retentionJob({ db, log, expired: EXPIRED, every_ms: overrides.background_every_ms }),
    );
    resources.add(
      'event retention',
      eventRetention({
        db,
        log,
        minutes: config.event_retention_minutes,
        every_ms: overrides.background_every_ms,
      }),
    );
    const tail = eventTail({ current: () => readCurrentSnapshot(db), news: (since) => readNews(db, since) });
    resources.add('event tail', tail.close);

    const handlers = chatHandlers({
      db,
      records,
      ids: snowflakes({ worker: config.worker_id, ...(overrides.clock && { clock: overrides.clock }) }),
      users: usersOf(auth.client),
      media: media.client,
      pictureChanges,
      takeSlowmode: limits.takeSlowmode,
      peekSlowmode: limits.peekSlowmode,
      channelsEnded: endedChannels.wake,
      takeProfileChanges: profileLimits(limits),
      eventsWritten: tail.wake,
      tail,
      post: batcher({
        // Two batches that have a guild in common would wait for each other, each with half as many messages.
        maxInFlight: 1,
        run: async (messages) => {
          const posted = await postMessages(db, messages);
          tail.wake();
          return posted;
        },
      }),
    });
    const server = await serve({
      address: config.listen,
      implementations: [implement(ChatServiceDefinition, handlers)],
      log,
      tls: certificates && { certificates, peers: peerRules('chat') },
    });
    resources.add('server', () => server.close());
    return { address: server.address, close: () => resources.close() };
  });
}
