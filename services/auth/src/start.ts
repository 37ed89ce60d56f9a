import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { leasedIds } from '@gatehouse/kit/db/leased-ids';
import { snowflakeColumnTime } from '@gatehouse/kit/db/outbox-counts';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { Announcements } from '@gatehouse/kit/event-log/announcements';
import { eventMetrics } from '@gatehouse/kit/event-log/event-metrics';
import { eventRetention } from '@gatehouse/kit/event-log/event-retention';
import { EventTail } from '@gatehouse/kit/event-log/event-tail';
import type { EventLog } from '@gatehouse/kit/event-log/read-log';
import type { Running } from '@gatehouse/kit/lifecycle';
import { concurrencyMetrics } from '@gatehouse/kit/metrics/concurrency-metrics';
import type { Runtime } from '@gatehouse/kit/process/runtime';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { anonymous, implement } from '@gatehouse/kit/rpc';
import { openPictureChanges, PICTURE_VERSION_TIME } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { AuthAdminServiceDefinition } from '@gatehouse/proto/auth-admin';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { peerRules } from '@gatehouse/proto/peers';
import { SERVICES } from '@gatehouse/proto/services';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { connectRateLimits } from '@gatehouse/ratelimit-kit-client';
import { profileLimits } from '@gatehouse/ratelimit-kit-client/profile-limits';
import type { Pool } from 'pg';
import { openAccountDeletions } from './accounts/account-deletions.ts';
import { SuspensionOutbox } from './accounts/suspension-outbox.ts';
import type { Config } from './config.ts';
import { type DataExports, openDataExports } from './data-export/data-exports.ts';
import type { ExportSources } from './data-export/export-files.ts';
import type { Deps } from './deps.ts';
import { openEncryption } from './encryption/encryption.ts';
import { deliverOverSmtp } from './mail/deliver-over-smtp.ts';
import { deliverToFiles } from './mail/deliver-to-files.ts';
import { MailQueue, type MailQueueOptions } from './mail/mail-queue.ts';
import { mailNotice } from './mail/notice-mail.ts';
import { authCounts } from './metrics.ts';
import { openPasswords, type Passwords } from './passwords/passwords.ts';
import { wakeReaders } from './rpc/events/wake-readers.ts';
import { authAdminHandlers, authHandlers } from './rpc/index.ts';
import { LastUsed } from './sessions/last-used.ts';
import { findAccounts } from './store/accounts/accounts.ts';
import { pictureChangeRows } from './store/accounts/picture-changes.ts';
import { BatchedStatements } from './store/batched-statements.ts';
import { eventLogTable, type StoredEvent } from './store/events/event-log.ts';
import { expiredRows } from './store/expired-rows.ts';
import { openPrisma } from './store/prisma.ts';

export interface Overrides extends ProcessOverrides {
  readonly clock?: Clock;
  /** Overrides the intervals of the retention jobs and of the writer of last-used times. */
  readonly background_every_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

const OUTBOXES = [
  { table: 'mails', since: snowflakeColumnTime('id') },
  { table: 'picture_changes', since: PICTURE_VERSION_TIME },
  'deleted_accounts',
  { table: 'data_exports', since: 'requested_at', where: "status = 'preparing'" },
  { table: 'suspension_changes', since: 'changed_at' },
];

/** Runs the migrations only (the argument `migrate`). */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'auth', database_url, dir: MIGRATIONS });
}

/** Migrates the database and serves AuthService and AuthAdminService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'auth', config, ...overrides }, async (runtime) => {
    const deps = await openDeps(runtime, config, overrides);
    const { wake } = deps.eventLog.tail;
    const handlers = wakeReaders(AuthServiceDefinition, authHandlers(deps), wake);
    const adminHandlers = wakeReaders(AuthAdminServiceDefinition, authAdminHandlers(deps), wake);
    const implementations = [
      implement(AuthServiceDefinition, handlers),
      implement(AuthAdminServiceDefinition, adminHandlers),
    ];
    return runtime.serve(config.listen, implementations, peerRules('auth'));
  });
}

async function openDeps(runtime: Runtime, config: Config, overrides: Overrides): Promise<Deps> {
  const { log, resources, registry } = runtime;
  const { clock = systemClock, background_every_ms: every_ms } = overrides;
  const db = await runtime.openDatabase({
    url: config.database_url,
    pool_size: config.database_pool_size,
    migrations: MIGRATIONS,
    outboxes: OUTBOXES,
  });
  const prisma = openPrisma(db);
  resources.add('prisma', () => prisma.$disconnect());
  const ids = await leasedIds({ db, workers: SERVICES.auth.workers, log, clock });
  resources.add('worker ID', ids.close);
  runtime.setReady(ids.isHeld);

  const oauth2 = runtime.client(Oauth2ServiceDefinition, 'oauth2', config.oauth2_address);
  const media = runtime.client(MediaServiceDefinition, 'media', config.media_address);
  const webhookDelivery = runtime.client(
    WebhookDeliveryServiceDefinition,
    'webhook-delivery',
    config.webhook_delivery_address,
  );
  const limits = connectRateLimits(config.ratelimit_address, {
    ...runtime.peer('ratelimit'),
    lists_buckets: false,
    max_buckets: 20_000,
  });
  resources.add('rate limits', () => limits.close());
  const outboxes = openOutboxes(runtime, { db, prisma, oauth2, webhookDelivery, media });

  const counts = authCounts(registry);
  const encryption = openEncryption(config.secret_keys);
  const mail = openMailQueue(runtime, config, { db, encryption, count: counts.mail });
  const shared = { db, oauth2, webhookDelivery, media, ids: ids.next, encryption, clock, mail };
  const dataExports = openExports(runtime, config, shared);
  const eventLog = openEventLog(runtime, db, config, every_ms);
  const onRemoved = eventLog.tail.wake; // an expired session's event is written when it is removed
  runtime.addJob(
    'expired_rows',
    retentionJob({ db, log, expired: expiredRows(config), every_ms, onRemoved }),
  );
  const lastUsed = new LastUsed({ db, log, every_ms });
  resources.add('last-used times', () => lastUsed.close());
  return {
    config,
    db,
    prisma,
    ids: ids.next,
    clock,
    counts,
    passwords: startPasswordThreads(runtime, config),
    encryption,
    mail,
    dataExports,
    batched: new BatchedStatements(db, runtime, config),
    lastUsed,
    media,
    takeProfileChanges: profileLimits(limits),
    ...outboxes,
    eventLog,
  };
}

/** Opens the outboxes to other services. */
function openOutboxes(
  runtime: Runtime,
  {
    db,
    prisma,
    oauth2,
    webhookDelivery,
    media,
  }: Pick<Deps, 'db' | 'prisma' | 'media'> & Pick<ExportSources, 'oauth2' | 'webhookDelivery'>,
): Pick<Deps, 'pictureChanges' | 'deletions' | 'suspensions'> {
  const { log, resources } = runtime;
  const pictureChanges = openPictureChanges({ rows: pictureChangeRows(db, prisma), media, log });
  resources.add('picture changes', () => pictureChanges.close());
  runtime.jobs.add('picture_changes', pictureChanges.job);
  const deletions = openAccountDeletions({ db, prisma }, oauth2, log);
  runtime.addJob('deleted_accounts', deletions);
  const suspensions = new SuspensionOutbox({ db, oauth2, webhookDelivery, log });
  resources.add('suspensions', suspensions.close);
  runtime.jobs.add('suspension_changes', suspensions.job);
  return { pictureChanges, deletions, suspensions };
}

/** Opens the background job of data exports, with the services that have data of an account. */
function openExports(
  runtime: Runtime,
  config: Config,
  deps: Pick<Deps, 'db' | 'media' | 'ids' | 'encryption' | 'clock' | 'mail'> &
    Pick<ExportSources, 'oauth2' | 'webhookDelivery'>,
): DataExports {
  const { db, oauth2, webhookDelivery, media, ids, encryption, clock, mail } = deps;
  const dataExports = openDataExports({
    sources: {
      db,
      oauth2,
      media,
      chat: runtime.client(ChatServiceDefinition, 'chat', config.chat_address),
      webhookDelivery,
    },
    log: runtime.log,
    mailReady: async (tx, { account_id, ip, user_agent }) => {
      // Not locked: a deletion of the account, which has locked it, waits for the export's row.
      const [account] = await findAccounts(tx, [account_id]);
      if (account === undefined) return;
      const caller = { ...anonymous, ip, user_agent };
      const notice = { template: 'export-ready' } as const;
      await mailNotice(tx, { ids, encryption, clock, config }, account, notice, caller);
    },
    onReady: () => mail.wake(),
  });
  runtime.resources.add('data exports', dataExports.close);
  runtime.jobs.add('data_exports', dataExports.job);
  return dataExports;
}

function startPasswordThreads({ resources, registry, hasMetrics }: Runtime, config: Config): Passwords {
  const metrics = { name: 'auth_password_hashing', what: 'passwords that are hashed or verified' };
  const watch = hasMetrics ? concurrencyMetrics(registry, metrics) : undefined;
  const passwords = openPasswords(config.password_concurrency, watch);
  resources.add('password threads', () => passwords.close());
  return passwords;
}

function openMailQueue(
  { log, resources, jobs }: Runtime,
  { smtp_url, mail_dir, mail_from, branding }: Config,
  options: Pick<MailQueueOptions, 'db' | 'encryption' | 'count'>,
): MailQueue {
  const deliver = smtp_url === undefined ? deliverToFiles(mail_dir) : deliverOverSmtp(smtp_url);
  const mail = new MailQueue({
    ...options,
    deliver,
    mail_from,
    branding,
    eight_bit: smtp_url === undefined,
    log,
  });
  resources.add('mail', () => mail.close());
  jobs.add('mails', mail.job);
  return mail;
}

function openEventLog(
  runtime: Runtime,
  db: Pool,
  { event_retention_minutes: minutes }: Config,
  every_ms: number | undefined,
): EventLog<StoredEvent> {
  const { log, resources, registry, hasMetrics } = runtime;
  runtime.addJob('old_events', eventRetention({ db, log, minutes, every_ms }));
  const table = eventLogTable(db);
  const tail = new EventTail({ table, announcements: new Announcements(db, log) });
  resources.add('event tail', tail.close);
  if (hasMetrics) eventMetrics(registry, 'auth', tail);
  return { table, tail };
}
