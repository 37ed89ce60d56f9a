import { fileURLToPath } from 'node:url';
import type { Clock } from '@gatehouse/kit/clock';
import { leasedIds } from '@gatehouse/kit/db/leased-ids';
import { snowflakeColumnTime } from '@gatehouse/kit/db/outbox-counts';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import type { Running } from '@gatehouse/kit/lifecycle';
import { longAnswerBudget } from '@gatehouse/kit/long-answers';
import { budgetMetrics } from '@gatehouse/kit/metrics/budget-metrics';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import { SERVICES } from '@gatehouse/proto/services';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { WebhookDeliveryAdminServiceDefinition } from '@gatehouse/proto/webhook-delivery-admin';
import type { Config } from './config.ts';
import { ExecutionTracker } from './deliveries/execution-tracker.ts';
import { executionCounter, lostCounter } from './deliveries/metrics.ts';
import { PayloadCopies } from './deliveries/payload-copies.ts';
import { PostedLog } from './deliveries/posted-log.ts';
import { webhookDeliveryAdminHandlers, webhookDeliveryHandlers } from './rpc/index.ts';
import { EXPIRED } from './store/expired-rows.ts';
import { openPrisma } from './store/prisma.ts';
import { WebhookLookup } from './store/webhook-lookup.ts';
import { checkAvatars } from './webhooks/avatar-check.ts';
import { openWebhookChangeOutbox } from './webhooks/webhook-change-outbox.ts';

export interface Overrides extends ProcessOverrides {
  readonly clock?: Clock;
  /** Overrides the interval of the background jobs, a minute. */
  readonly background_every_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

const LONG_ANSWERS_BYTES = 16 * 1024 * 1024;
/** Payloads that wait to be kept. */
const PAYLOAD_COPIES_BYTES = 8 * 1024 * 1024;

/** Runs the migrations only (the argument `migrate`). */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'webhook-delivery', database_url, dir: MIGRATIONS });
}

/** Migrates the database, and serves WebhookDeliveryService and WebhookDeliveryAdminService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'webhook-delivery', config, ...overrides }, async (runtime) => {
    const { log, resources, registry, hasMetrics } = runtime;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
      outboxes: [{ table: 'webhook_changes', since: snowflakeColumnTime('id') }],
    });
    const prisma = openPrisma(db);
    resources.add('prisma', () => prisma.$disconnect());
    const ids = await leasedIds({
      db,
      workers: SERVICES['webhook-delivery'].workers,
      log,
      ...(overrides.clock && { clock: overrides.clock }),
    });
    resources.add('worker ID', ids.close);
    runtime.setReady(ids.isHeld);

    const every_ms = overrides.background_every_ms;
    runtime.addJob('expired_rows', retentionJob({ db, log, expired: EXPIRED, every_ms }));

    const chat = runtime.client(ChatServiceDefinition, 'chat', config.chat_address);
    const webhookChanges = openWebhookChangeOutbox(db, prisma, chat, log);
    runtime.addJob('webhook_changes', webhookChanges);
    const auth = runtime.client(AuthServiceDefinition, 'auth', config.auth_address);
    const media = runtime.client(MediaServiceDefinition, 'media', config.media_address);

    runtime.addJob('used_avatars', checkAvatars({ db, chat, media, log, every_ms }));

    const longAnswers = longAnswerBudget(LONG_ANSWERS_BYTES, config.database_pool_size);
    if (hasMetrics) budgetMetrics(registry, 'webhook_long_answers', 'long answers', [longAnswers]);

    const countLost = lostCounter(registry);
    const payloads = new PayloadCopies(PAYLOAD_COPIES_BYTES, () => countLost('payload', 1));
    const onLost = (count: number) => countLost('delivery', count);
    const posted = new PostedLog({ db, payloads, log, onLost });
    resources.add('deliveries', () => posted.close());
    const count = executionCounter(registry);

    const deps = {
      db,
      prisma,
      ids: ids.next,
      chat,
      auth,
      media,
      webhookChanges,
      base_url: config.base_url,
      executions: new ExecutionTracker({ db, ids: ids.next, posted, payloads, count, onLost, log }),
      longAnswers,
      webhooks: new WebhookLookup(db, runtime),
    };
    const implementations = [
      implement(WebhookDeliveryServiceDefinition, webhookDeliveryHandlers(deps)),
      implement(WebhookDeliveryAdminServiceDefinition, webhookDeliveryAdminHandlers(deps)),
    ];
    return runtime.serve(config.listen, implementations, peerRules('webhook-delivery'));
  });
}
