import { fileURLToPath } from 'node:url';
import { userReader } from '@gatehouse/auth-client/users';
import type { Clock } from '@gatehouse/kit/clock';
import { type LeasedIds, leasedIds } from '@gatehouse/kit/db/leased-ids';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { Announcements } from '@gatehouse/kit/event-log/announcements';
import { eventMetrics } from '@gatehouse/kit/event-log/event-metrics';
import { eventRetention } from '@gatehouse/kit/event-log/event-retention';
import { EventTail } from '@gatehouse/kit/event-log/event-tail';
import type { Running } from '@gatehouse/kit/lifecycle';
import { budgetMetrics } from '@gatehouse/kit/metrics/budget-metrics';
import type { Runtime } from '@gatehouse/kit/process/runtime';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { openPictureChanges, PICTURE_VERSION_TIME } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { ChatAdminServiceDefinition } from '@gatehouse/proto/chat-admin';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import { SERVICES } from '@gatehouse/proto/services';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { connectRateLimits } from '@gatehouse/ratelimit-kit-client';
import { profileLimits } from '@gatehouse/ratelimit-kit-client/profile-limits';
import type { Pool } from 'pg';
import { DeletedChannels } from './channels/deleted-channels.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { answerBudgets } from './long-answers/answer-budgets.ts';
import { chatAdminHandlers, chatHandlers } from './rpc/index.ts';
import { eventLogTable } from './store/events/event-log.ts';
import { expired } from './store/expired-rows.ts';
import { pictureChangeRows } from './store/members/picture-changes.ts';
import { postMessages } from './store/messages/post-messages.ts';
import { openPrisma } from './store/prisma.ts';

export interface Overrides extends ProcessOverrides {
  /** The clock of new IDs, and so of messages. */
  readonly clock?: Clock;
  /** The interval of the retention jobs, instead of a minute. */
  readonly background_every_ms?: number;
  /** The settling time of deleted channels (channels/deleted-channels.ts), instead of a minute. */
  readonly deleted_channels_settle_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Runs the command `migrate`. */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'chat', database_url, dir: MIGRATIONS });
}

/** Migrates the database, and serves ChatService and ChatAdminService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'chat', config, ...overrides }, async (runtime) => {
    const deps = await openDeps(runtime, config, overrides);
    const implementations = [
      implement(ChatServiceDefinition, chatHandlers(deps)),
      implement(ChatAdminServiceDefinition, chatAdminHandlers(deps)),
    ];
    return runtime.serve(config.listen, implementations, peerRules('chat'));
  });
}

async function openDeps(runtime: Runtime, config: Config, overrides: Overrides): Promise<Deps> {
  const { resources, registry, hasMetrics } = runtime;
  const db = await runtime.openDatabase({
    url: config.database_url,
    pool_size: config.database_pool_size,
    migrations: MIGRATIONS,
    outboxes: [
      { table: 'ended_channels', since: 'ended_at' },
      { table: 'picture_changes', since: PICTURE_VERSION_TIME },
    ],
  });
  const prisma = openPrisma(db);
  resources.add('prisma', () => prisma.$disconnect());
  const ids = await openIds(runtime, db, overrides);
  const auth = runtime.client(AuthServiceDefinition, 'auth', config.auth_address);
  const media = runtime.client(MediaServiceDefinition, 'media', config.media_address);
  const { takeSlowmode, peekSlowmode, takeProfileChanges } = openRateLimits(runtime, config);
  const jobs = openJobs(runtime, { db, prisma, media }, config, overrides);
  const events = eventLogTable(db);
  const tail = new EventTail({ table: events, announcements: new Announcements(db, runtime.log) });
  resources.add('event tail', tail.close);
  if (hasMetrics) eventMetrics(registry, 'chat', tail);
  const budgets = answerBudgets(config.database_pool_size);
  if (hasMetrics) budgetMetrics(registry, 'chat_long_answers', 'long answers', Object.values(budgets));
  return {
    db,
    prisma,
    ids: ids.next,
    users: userReader(auth),
    media,
    takeSlowmode,
    peekSlowmode,
    takeProfileChanges,
    ...jobs,
    eventsWritten: tail.wake,
    eventLog: { table: events, tail },
    answerBudgets: budgets,
    post: runtime.batcher('post', {
      // Two batches with a common guild would wait for each other, each with half the messages.
      maxInFlight: 1,
      run: async (messages) => {
        const posted = await postMessages(db, messages);
        tail.wake();
        return posted;
      },
    }),
  };
}

/** Leases a worker ID for snowflakes. */
async function openIds(runtime: Runtime, db: Pool, { clock }: Overrides): Promise<LeasedIds> {
  const { log, resources } = runtime;
  const ids = await leasedIds({ db, workers: SERVICES.chat.workers, log, ...(clock && { clock }) });
  resources.add('worker ID', ids.close);
  runtime.setReady(ids.isHeld);
  return ids;
}

function openRateLimits(
  runtime: Runtime,
  { ratelimit_address }: Config,
): Pick<Deps, 'takeSlowmode' | 'peekSlowmode' | 'takeProfileChanges'> {
  const limits = connectRateLimits(ratelimit_address, {
    ...runtime.peer('ratelimit'),
    lists_buckets: false,
    max_buckets: 100_000,
  });
  runtime.resources.add('rate limits', () => limits.close());
  return {
    takeSlowmode: (message, origin) => limits.takeSlowmode(message, origin),
    peekSlowmode: (message, origin) => limits.peekSlowmode(message, origin),
    takeProfileChanges: profileLimits(limits),
  };
}

/** Opens the outboxes and starts the retention jobs. */
function openJobs(
  runtime: Runtime,
  { db, prisma, media }: Pick<Deps, 'db' | 'prisma' | 'media'>,
  config: Config,
  { background_every_ms: every_ms, deleted_channels_settle_ms: settle_ms }: Overrides,
): Pick<Deps, 'channelsDeleted' | 'pictureChanges'> {
  const { log, resources } = runtime;
  const { webhook_delivery_address, event_retention_minutes: minutes } = config;
  const webhookDelivery = runtime.client(
    WebhookDeliveryServiceDefinition,
    'webhook-delivery',
    webhook_delivery_address,
  );
  const deletedChannels = new DeletedChannels({ db, prisma, webhookDelivery, log, settle_ms });
  resources.add('deleted channels', deletedChannels.close);
  runtime.jobs.add('ended_channels', deletedChannels.job);
  const pictureChanges = openPictureChanges({ rows: pictureChangeRows(db, prisma), media, log });
  resources.add('picture changes', () => pictureChanges.close());
  runtime.jobs.add('picture_changes', pictureChanges.job);
  runtime.addJob('expired_rows', retentionJob({ db, log, expired: expired(config), every_ms }));
  runtime.addJob('old_events', eventRetention({ db, log, minutes, every_ms }));
  return { channelsDeleted: deletedChannels.wake, pictureChanges };
}
