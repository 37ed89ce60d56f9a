import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { leasedIds } from '@gatehouse/kit/db/leased-ids';
import { snowflakeColumnTime } from '@gatehouse/kit/db/outbox-counts';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import type { Running } from '@gatehouse/kit/lifecycle';
import type { Runtime } from '@gatehouse/kit/process/runtime';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { openPictureChanges, PICTURE_VERSION_TIME } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { Oauth2AdminServiceDefinition } from '@gatehouse/proto/oauth2-admin';
import { peerRules } from '@gatehouse/proto/peers';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import { SERVICES } from '@gatehouse/proto/services';
import { openBotDisablements } from './applications/bot-disablements.ts';
import { openDeletedBots } from './applications/deleted-bots.ts';
import { openOrphanedBots } from './applications/orphaned-bots.ts';
import { SecretUses } from './clients/secret-uses.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { oauth2AdminHandlers, oauth2Handlers } from './rpc/index.ts';
import { BatchedStatements } from './store/batched-statements.ts';
import { expiredRows } from './store/expired-rows.ts';
import { pictureChangeRows } from './store/picture-changes.ts';
import { openPrisma } from './store/prisma.ts';
import { ACCESS_TOKEN_SECONDS } from './tokens/new-token-pair.ts';
import { SurplusTokens } from './tokens/surplus-tokens.ts';
import { openClientUsage } from './usage/client-usage.ts';

export interface Overrides extends ProcessOverrides {
  readonly clock?: Clock;
  /** Overrides the interval of the retention job, a minute. */
  readonly background_every_ms?: number;
}

const OUTBOXES = [
  { table: 'ended_bots', since: 'ended_at' },
  { table: 'unmade_bots', since: snowflakeColumnTime('application_id') },
  { table: 'bot_disablements', since: 'changed_at' },
  { table: 'picture_changes', since: PICTURE_VERSION_TIME },
];

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Runs the migrations only (the argument `migrate`). */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'oauth2', database_url, dir: MIGRATIONS });
}

/** Migrates the database and serves Oauth2Service and Oauth2AdminService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'oauth2', config, ...overrides }, async (runtime) => {
    const { log, resources } = runtime;
    const { hardening } = config;
    const { clock = systemClock, background_every_ms: every_ms } = overrides;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
      outboxes: OUTBOXES,
    });
    const prisma = openPrisma(db);
    resources.add('prisma', () => prisma.$disconnect());
    const ids = await leasedIds({ db, workers: SERVICES.oauth2.workers, log, clock });
    resources.add('worker ID', ids.close);
    runtime.setReady(ids.isHeld);
    runtime.addJob('expired_rows', retentionJob({ db, log, expired: expiredRows(hardening), every_ms }));
    const auth = runtime.client(AuthServiceDefinition, 'auth', config.auth_address);
    const chat = runtime.client(ChatServiceDefinition, 'chat', config.chat_address);
    const media = runtime.client(MediaServiceDefinition, 'media', config.media_address);
    const realtime = runtime.client(RealtimeServiceDefinition, 'realtime', config.realtime_address);
    const outboxes = openOutboxes(runtime, { db, prisma, auth, chat, media });
    const surplus = new SurplusTokens(db, log);
    resources.add('surplus tokens', () => surplus.close());
    const batched = new BatchedStatements(runtime, {
      db,
      hardening,
      access_token_seconds: ACCESS_TOKEN_SECONDS,
      onIssued: (authorizations) => surplus.check(authorizations),
    });
    const secretUses = new SecretUses({ db, log, every_ms });
    resources.add('uses of client secrets', () => secretUses.close());
    const usage = openClientUsage({ db, log, every_ms });
    resources.add('usage of clients', () => usage.close());
    runtime.jobs.add('client_usage', usage.job);
    const deps: Deps = {
      db,
      prisma,
      ids: ids.next,
      batched,
      secretUses,
      usage: usage.counts,
      web_app_url: config.web_app_url,
      issuer: config.issuer,
      iss: hardening.callback_issuer ? config.issuer : undefined,
      hardening,
      chat,
      auth,
      media,
      realtime,
      ...outboxes,
    };
    const implementations = [
      implement(Oauth2ServiceDefinition, oauth2Handlers(deps)),
      implement(Oauth2AdminServiceDefinition, oauth2AdminHandlers(deps)),
    ];
    return runtime.serve(config.listen, implementations, peerRules('oauth2'));
  });
}

function openOutboxes(
  runtime: Pick<Runtime, 'log' | 'resources' | 'jobs' | 'addJob'>,
  { db, prisma, auth, chat, media }: Pick<Deps, 'db' | 'prisma' | 'auth' | 'chat' | 'media'>,
): Pick<Deps, 'pictureChanges' | 'deletedBots' | 'botDisablements'> {
  const { log, resources } = runtime;
  const pictureChanges = openPictureChanges({ rows: pictureChangeRows(db, prisma), media, log });
  resources.add('picture changes', () => pictureChanges.close());
  runtime.jobs.add('picture_changes', pictureChanges.job);
  runtime.addJob('unmade_bots', openOrphanedBots({ db, prisma, auth }, log));
  const deletedBots = openDeletedBots({ db, auth, chat }, log);
  runtime.addJob('ended_bots', deletedBots);
  const botDisablements = openBotDisablements({ db, prisma, auth }, log);
  runtime.addJob('bot_disablements', botDisablements);
  return { pictureChanges, deletedBots, botDisablements };
}
