import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { leasedIds } from '@gatehouse/kit/db/leased-ids';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import type { Running } from '@gatehouse/kit/lifecycle';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { openPictureChanges } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { peerRules } from '@gatehouse/proto/peers';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import { SERVICES } from '@gatehouse/proto/services';
import { openDeletedBots } from './applications/deleted-bots.ts';
import { openOrphanedBots } from './applications/orphaned-bots.ts';
import { SecretUses } from './clients/secret-uses.ts';
import type { Config } from './config.ts';
import { oauth2Handlers } from './rpc/index.ts';
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

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Runs the migrations only (the argument `migrate`). */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'oauth2', database_url, dir: MIGRATIONS });
}

/** Migrates the database and serves Oauth2Service. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'oauth2', config, ...overrides }, async (runtime) => {
    const { log, resources } = runtime;
    const { hardening } = config;
    const { clock = systemClock, background_every_ms: every_ms } = overrides;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
      outboxes: ['ended_bots', 'unmade_bots', 'picture_changes'],
    });
    const prisma = openPrisma(db);
    resources.add('prisma', () => prisma.$disconnect());
    const ids = await leasedIds({ db, workers: SERVICES.oauth2.workers, log, clock });
    resources.add('worker ID', ids.close);
    runtime.setReady(ids.isHeld);
    resources.add('retention job', retentionJob({ db, log, expired: expiredRows(hardening), every_ms }));
    const auth = runtime.client(AuthServiceDefinition, 'auth', config.auth_address);
    const chat = runtime.client(ChatServiceDefinition, 'chat', config.chat_address);
    const media = runtime.client(MediaServiceDefinition, 'media', config.media_address);
    const realtime = runtime.client(RealtimeServiceDefinition, 'realtime', config.realtime_address);
    const pictureChanges = openPictureChanges({ rows: pictureChangeRows(db, prisma), media, log });
    resources.add('picture changes', () => pictureChanges.close());
    const orphanedBots = openOrphanedBots({ db, prisma, auth }, log);
    resources.add('orphaned bots', () => orphanedBots.close());
    const deletedBots = openDeletedBots({ db, auth, chat }, log);
    resources.add('deleted bots', () => deletedBots.close());
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
    const handlers = oauth2Handlers({
      db,
      prisma,
      ids: ids.next,
      batched,
      secretUses,
      usage: usage.counts,
      deletedBots,
      web_app_url: config.web_app_url,
      issuer: config.issuer,
      iss: hardening.callback_issuer ? config.issuer : undefined,
      hardening,
      chat,
      auth,
      media,
      realtime,
      pictureChanges,
    });
    return runtime.serve(config.listen, [implement(Oauth2ServiceDefinition, handlers)], peerRules('oauth2'));
  });
}
