import { fileURLToPath } from 'node:url';
import { usersOf } from '@gatehouse/auth-client/users';
import type { Clock } from '@gatehouse/kit/clock';
import { leasedIds } from '@gatehouse/kit/db/leased-ids';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { eventMetrics } from '@gatehouse/kit/event-log/event-metrics';
import { eventRetention } from '@gatehouse/kit/event-log/event-retention';
import { EventTail } from '@gatehouse/kit/event-log/event-tail';
import type { Running } from '@gatehouse/kit/lifecycle';
import { budgetMetrics } from '@gatehouse/kit/metrics/budget-metrics';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { openPictureChanges } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import { SERVICES } from '@gatehouse/proto/services';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { connectRateLimits } from '@gatehouse/ratelimit-client';
import { profileLimits } from '@gatehouse/ratelimit-client/profile-limits';
import { openEndedChannels } from './channels/ended-channels.ts';
import type { Config } from './config.ts';
import { longAnswers } from './long-answers/budgets.ts';
import { chatHandlers } from './rpc/index.ts';
import { eventLogTable } from './store/events/event-log.ts';
import { expired } from './store/expired-rows.ts';
import { pictureNotes } from './store/members/picture-changes.ts';
import { postMessages } from './store/messages/post-messages.ts';
import { openPrisma } from './store/prisma.ts';

export interface Overrides extends ProcessOverrides {
  /** The clock of new IDs, and so of messages. */
  readonly clock?: Clock;
  /** The interval of the retention jobs, instead of a minute. */
  readonly background_every_ms?: number;
  /** The settling time of a deleted channel, after which webhook-delivery is called again, instead of a minute. */
  readonly ended_channels_settle_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Runs the command `migrate`. */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'chat', database_url, dir: MIGRATIONS });
}

/** Migrates the database and serves ChatService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'chat', config, ...overrides }, async (runtime) => {
    const { log, resources, registry, isMeasured } = runtime;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
      outboxes: ['ended_channels', 'picture_changes'],
    });
    const prisma = openPrisma(db);
    resources.add('prisma', () => prisma.$disconnect());
    const ids = await leasedIds({
      db,
      workers: SERVICES.chat.workers,
      log,
      ...(overrides.clock && { clock: overrides.clock }),
    });
    resources.add('worker ID', ids.close);
    runtime.setReady(ids.isHeld);
    const auth = runtime.client(AuthServiceDefinition, 'auth', config.auth_address);
    const limits = connectRateLimits(config.ratelimit_address, {
      ...runtime.peer('ratelimit'),
      lists_buckets: false,
      max_buckets: 100_000,
    });
    resources.add('rate limits', () => limits.close());
    const webhookDelivery = runtime.client(
      WebhookDeliveryServiceDefinition,
      'webhook-delivery',
      config.webhook_delivery_address,
    );
    const endedChannels = openEndedChannels({
      db,
      prisma,
      webhookDelivery: webhookDelivery,
      log,
      settle_ms: overrides.ended_channels_settle_ms,
    });
    resources.add('ended channels', endedChannels.close);
    const media = runtime.client(MediaServiceDefinition, 'media', config.media_address);
    const pictureChanges = openPictureChanges({ notes: pictureNotes(db, prisma), media: media, log });
    resources.add('picture changes', () => pictureChanges.close());
    resources.add(
      'retention job',
      retentionJob({ db, log, expired: expired(config), every_ms: overrides.background_every_ms }),
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
    const events = eventLogTable(db);
    const tail = new EventTail(events);
    resources.add('event tail', tail.close);
    if (isMeasured) eventMetrics(registry, 'chat', tail);

    const answers = longAnswers(config.database_pool_size);
    if (isMeasured) budgetMetrics(registry, 'chat_long_answers', 'long answers', Object.values(answers));

    const handlers = chatHandlers({
      db,
      prisma,
      ids: ids.next,
      users: usersOf(auth),
      media: media,
      pictureChanges,
      takeSlowmode: (message, origin) => limits.takeSlowmode(message, origin),
      peekSlowmode: (message, origin) => limits.peekSlowmode(message, origin),
      channelsEnded: endedChannels.wake,
      takeProfileChanges: profileLimits(limits),
      eventsWritten: tail.wake,
      eventLog: { table: events, tail },
      longAnswers: answers,
      post: runtime.batcher('post', {
        // Two batches with a common guild would wait for each other, each with half the messages.
        maxInFlight: 1,
        run: async (messages) => {
          const posted = await postMessages(db, messages);
          tail.wake();
          return posted;
        },
      }),
    });
    return runtime.serve(config.listen, [implement(ChatServiceDefinition, handlers)], peerRules('chat'));
  });
}
