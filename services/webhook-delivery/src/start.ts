import { fileURLToPath } from 'node:url';
import { batcher } from '@gatehouse/kit/batch';
import type { Clock } from '@gatehouse/kit/clock';
import { migrate } from '@gatehouse/kit/db/migrate';
import { openPool } from '@gatehouse/kit/db/pool';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { metricsServer } from '@gatehouse/kit/metrics';
import { connect, implement, openCertificates, serve } from '@gatehouse/kit/rpc';
import { snowflakes } from '@gatehouse/kit/snowflake';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { peerRules } from '@gatehouse/proto/peers';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { Registry } from 'prom-client';
import type { Config } from './config.ts';
import { executionTracker } from './deliveries/execution-tracker.ts';
import { deliveryCounter } from './deliveries/metrics.ts';
import { webhookDeliveryHandlers } from './rpc/index.ts';
import { EXPIRED } from './store/expired-rows.ts';
import { openRecords } from './store/records.ts';
import { findWebhooks } from './store/webhooks.ts';
import { handOverAvatars } from './webhooks/hand-over-avatars.ts';
import { openWebhookChangeOutbox } from './webhooks/webhook-change-outbox.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly clock?: Clock;
  /** How often expired rows are removed; a minute unless given. */
  readonly background_every_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Brings the database up to date, connects to chat, auth and media, and serves WebhookDeliveryService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'webhook-delivery', level: config.log_level });
  return opening(log, async (resources) => {
    const { rpc_tls: files } = config;
    const certificates = files && openCertificates({ files, name: 'webhook-delivery', log });
    resources.add('certificates', () => certificates?.close());
    await migrate({ database_url: config.database_url, dir: MIGRATIONS, log });
    const db = openPool({
      database_url: config.database_url,
      application_name: 'webhook-delivery',
      max: config.database_pool_size,
      log,
    });
    resources.add('database', () => db.end());
    const records = openRecords(db);
    resources.add('records', () => records.$disconnect());

    resources.add(
      'retention job',
      retentionJob({ db, log, expired: EXPIRED, every_ms: overrides.background_every_ms }),
    );

    const transport = config.rpc_transport;
    const chat = connect(ChatServiceDefinition, {
      address: config.chat_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'chat' },
    });
    resources.add('chat', () => chat.close());
    const webhookChanges = openWebhookChangeOutbox(db, chat.client, log);
    resources.add('webhook changes', webhookChanges.close);
    const auth = connect(AuthServiceDefinition, {
      address: config.auth_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'auth' },
    });
    resources.add('auth', () => auth.close());
    const media = connect(MediaServiceDefinition, {
      address: config.media_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'media' },
    });
    resources.add('media', () => media.close());
    const oldAvatars = handOverAvatars(db, media.client, log);
    resources.add('old avatars', () => oldAvatars.close());

    const registry = new Registry();
    const handlers = webhookDeliveryHandlers({
      db,
      records,
      ids: snowflakes({ worker: config.worker_id, ...(overrides.clock && { clock: overrides.clock }) }),
      chat: chat.client,
      auth: auth.client,
      media: media.client,
      webhookChanges,
      trackExecution: executionTracker({ db, count: deliveryCounter(registry), log }),
      findWebhookBatched: batcher({ run: (ids) => findWebhooks(db, ids) }),
    });
    // The edge asks media for them as soon as this service is there.
    await oldAvatars.settled;
    const server = await serve({
      address: config.listen,
      implementations: [implement(WebhookDeliveryServiceDefinition, handlers)],
      log,
      tls: certificates && { certificates, peers: peerRules('webhook-delivery') },
    });
    resources.add('server', () => server.close());
    if (config.metrics_listen !== undefined) {
      const metrics = await metricsServer(config.metrics_listen, registry);
      resources.add('metrics', metrics.close);
      log.info({ metrics: metrics.address }, 'metrics are served');
    }
    return { address: server.address, close: () => resources.close() };
  });
}
