import { fileURLToPath } from 'node:url';
import { batcher } from '@gatehouse/kit/batch';
import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { migrate } from '@gatehouse/kit/db/migrate';
import { openPool } from '@gatehouse/kit/db/pool';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { connect, implement, openCertificates, serve } from '@gatehouse/kit/rpc';
import { snowflakes } from '@gatehouse/kit/snowflake';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { peerRules } from '@gatehouse/proto/peers';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { monotonicClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { memoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import { sweeper } from '@gatehouse/ratelimit-client/leaky-bucket/sweeper';
import { openAccountDeletions } from './accounts/account-deletions.ts';
import type { Config } from './config.ts';
import { openSeals } from './encryption/encryption.ts';
import { openDelivery } from './mail/deliver.ts';
import { openOutbox } from './mail/outbox.ts';
import { openPasswords } from './passwords/passwords.ts';
import { handOverPictures } from './pictures/hand-over-pictures.ts';
import { openPictureChanges } from './pictures/picture-changes.ts';
import { PROFILE_RULES, profileLimits } from './profile/limits.ts';
import { authHandlers } from './rpc/index.ts';
import { lastUsed } from './sessions/last-used.ts';
import { findAccounts } from './store/accounts.ts';
import { expired } from './store/expired-rows.ts';
import { identityFinder } from './store/identities.ts';
import { openRecords } from './store/records.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly clock?: Clock;
  /** How often the retention job looks and last-used times are written, instead of their own intervals. */
  readonly background_every_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Brings the database up to date and serves AuthService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'auth', level: config.log_level });
  return opening(log, async (parts) => {
    const { rpc_tls: files } = config;
    const certificates = files && openCertificates({ files, name: 'auth', log });
    parts.add('certificates', () => certificates?.close());
    await migrate({ database_url: config.database_url, dir: MIGRATIONS, log });
    const db = openPool({
      database_url: config.database_url,
      application_name: 'auth',
      max: config.database_pool_size,
      log,
    });
    parts.add('database', () => db.end());
    const records = openRecords(db);
    parts.add('records', () => records.$disconnect());

    const { rpc_transport: transport } = config;
    const oauth2 = connect(Oauth2ServiceDefinition, {
      address: config.oauth2_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'oauth2' },
    });
    parts.add('oauth2', () => oauth2.close());
    const ratelimit = connect(RatelimitServiceDefinition, {
      address: config.ratelimit_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'ratelimit' },
    });
    parts.add('ratelimit', () => ratelimit.close());
    const media = connect(MediaServiceDefinition, {
      address: config.media_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'media' },
    });
    parts.add('media', () => media.close());
    const oldPictures = handOverPictures(db, media.client, log);
    parts.add('old pictures', () => oldPictures.close());
    const pictureChanges = openPictureChanges({ db, media: media.client, log });
    parts.add('picture changes', () => pictureChanges.close());
    const changes = memoryStore({ rules: PROFILE_RULES, max_buckets: 20_000, now_us: monotonicClock });
    parts.add('sweeper', sweeper(changes, monotonicClock, log).close);
    const deletions = openAccountDeletions({ db, oauth2: oauth2.client, log });
    parts.add('account deletions', () => deletions.close());

    const passwords = openPasswords(config.password_concurrency);
    parts.add('password threads', () => passwords.close());
    const seals = openSeals(config.secret_keys);
    const { mail_from } = config;
    const mail = openOutbox({ db, seals, deliver: openDelivery(config), mail_from, log });
    parts.add('mail', () => mail.close());
    const every_ms = overrides.background_every_ms;
    parts.add('retention job', retentionJob({ db, log, expired: expired(config), every_ms }));
    const used = lastUsed({ db, log, every_ms });
    parts.add('last-used times', () => used.close());
    const clock = overrides.clock ?? systemClock;
    const handlers = authHandlers({
      config,
      db,
      records,
      ids: snowflakes({ worker: config.worker_id, clock }),
      clock,
      seals,
      mail,
      media: media.client,
      pictureChanges,
      takeProfileChanges: profileLimits(ratelimit.client, changes),
      deletions,
      passwords,
      identify: batcher({ run: identityFinder(db, config) }),
      lastUsed: used,
      findAccount: batcher({ run: (ids) => findAccounts(db, ids) }),
    });
    // The edge asks media for them as soon as this service is there.
    await oldPictures.settled;
    const server = await serve({
      address: config.listen,
      implementations: [implement(AuthServiceDefinition, handlers)],
      log,
      tls: certificates && { certificates, peers: peerRules('auth') },
    });
    parts.add('server', () => server.close());
    return { address: server.address, close: () => parts.close() };
  });
}
