import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { leasedIds } from '@gatehouse/kit/db/leased-ids';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { eventMetrics } from '@gatehouse/kit/event-log/event-metrics';
import { eventRetention } from '@gatehouse/kit/event-log/event-retention';
import { eventTail } from '@gatehouse/kit/event-log/event-tail';
import type { Running } from '@gatehouse/kit/lifecycle';
import { turnMetrics } from '@gatehouse/kit/metrics/turn-metrics';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { openPictureChanges } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { peerRules } from '@gatehouse/proto/peers';
import { SERVICES } from '@gatehouse/proto/services';
import { connectRateLimits } from '@gatehouse/ratelimit-client';
import { profileLimits } from '@gatehouse/ratelimit-client/profile-limits';
import { openAccountDeletions } from './accounts/account-deletions.ts';
import type { Config } from './config.ts';
import { openEncryption } from './encryption/encryption.ts';
import { deliverToFiles } from './mail/eml-files.ts';
import { openMailOutbox } from './mail/outbox.ts';
import { deliverOverSmtp } from './mail/smtp.ts';
import { authCounts } from './metrics.ts';
import { openPasswords } from './passwords/passwords.ts';
import { wakeReaders } from './rpc/events/wake-readers.ts';
import { authHandlers } from './rpc/index.ts';
import { lastUsed } from './sessions/last-used.ts';
import { findAccounts } from './store/accounts/accounts.ts';
import { identityFinder } from './store/accounts/identities.ts';
import { pictureNotes } from './store/accounts/picture-changes.ts';
import { eventLogTable } from './store/events/event-log.ts';
import { expired } from './store/expired-rows.ts';
import { openPrisma } from './store/prisma.ts';

export interface Overrides extends ProcessOverrides {
  readonly clock?: Clock;
  /** The interval of what removes old rows, and of writing last-used times, instead of their own. */
  readonly background_every_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** What the argument `migrate` does. */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'auth', database_url, dir: MIGRATIONS });
}

/** Migrates the database and serves AuthService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'auth', config, ...overrides }, async (runtime) => {
    const { log, resources, registry, isMeasured } = runtime;
    const clock = overrides.clock ?? systemClock;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
      outboxes: ['mails', 'picture_changes', 'deleted_accounts'],
    });
    const prisma = openPrisma(db);
    resources.add('prisma', () => prisma.$disconnect());
    const ids = await leasedIds({ db, workers: SERVICES.auth.workers, log, clock });
    resources.add('worker ID', ids.close);
    runtime.setReady(ids.isHeld);

    const oauth2 = runtime.client(Oauth2ServiceDefinition, 'oauth2', config.oauth2_address);
    const limits = connectRateLimits(config.ratelimit_address, {
      ...runtime.peer('ratelimit'),
      lists_buckets: false,
      max_buckets: 20_000,
    });
    resources.add('rate limits', limits.close);
    const media = runtime.client(MediaServiceDefinition, 'media', config.media_address);
    const pictureChanges = openPictureChanges({ notes: pictureNotes(db, prisma), media: media, log });
    resources.add('picture changes', () => pictureChanges.close());
    const deletions = openAccountDeletions({ db, prisma, oauth2: oauth2, log });
    resources.add('account deletions', () => deletions.close());

    const counts = authCounts(registry);
    const hashing = { name: 'auth_password_hashing', what: 'passwords that are hashed or verified' };
    const passwords = openPasswords(
      config.password_concurrency,
      isMeasured ? turnMetrics(registry, hashing) : undefined,
    );
    resources.add('password threads', () => passwords.close());
    const encryption = openEncryption(config.secret_keys);
    const { smtp_url, mail_dir, mail_from } = config;
    const deliver = smtp_url === undefined ? deliverToFiles(mail_dir) : deliverOverSmtp(smtp_url);
    const mail = openMailOutbox({ db, encryption, deliver, mail_from, log, count: counts.mail });
    resources.add('mail', () => mail.close());
    const every_ms = overrides.background_every_ms;
    resources.add('retention job', retentionJob({ db, log, expired: expired(config), every_ms }));
    const minutes = config.event_retention_minutes;
    resources.add('event retention', eventRetention({ db, log, minutes, every_ms }));
    const events = eventLogTable(db);
    const tail = eventTail(events);
    resources.add('event tail', tail.close);
    if (isMeasured) eventMetrics(registry, 'auth', tail);
    const used = lastUsed({ db, log, every_ms });
    resources.add('last-used times', () => used.close());
    const handlers = authHandlers({
      config,
      db,
      prisma,
      ids: ids.next,
      clock,
      encryption,
      mail,
      media: media,
      pictureChanges,
      takeProfileChanges: profileLimits(limits),
      deletions,
      eventLog: { table: events, tail },
      counts,
      passwords,
      identify: runtime.batcher('identify', { run: identityFinder(db, config) }),
      lastUsed: used,
      findAccount: runtime.batcher('find_account', { run: (ids) => findAccounts(db, ids) }),
    });
    const implementation = implement(AuthServiceDefinition, wakeReaders(handlers, tail.wake));
    return runtime.serve(config.listen, [implementation], peerRules('auth'));
  });
}
