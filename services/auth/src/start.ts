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
import { openPictureChanges } from '@gatehouse/media-client/picture-changes';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { MediaServiceDefinition } from '@gatehouse/proto/media';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { peerRules } from '@gatehouse/proto/peers';
import { connectRateLimits } from '@gatehouse/ratelimit-client';
import { profileLimits } from '@gatehouse/ratelimit-client/profile-limits';
import { openAccountDeletions } from './accounts/account-deletions.ts';
import type { Config } from './config.ts';
import { openEncryption } from './encryption/encryption.ts';
import { deliverToFiles } from './mail/eml-files.ts';
import { openOutbox } from './mail/outbox.ts';
import { deliverOverSmtp } from './mail/smtp.ts';
import { openPasswords } from './passwords/passwords.ts';
import { handOverPictures } from './pictures/hand-over-pictures.ts';
import { authHandlers } from './rpc/index.ts';
import { lastUsed } from './sessions/last-used.ts';
import { findAccounts } from './store/accounts.ts';
import { expired } from './store/expired-rows.ts';
import { identityFinder } from './store/identities.ts';
import { pictureNotes } from './store/picture-changes.ts';
import { openRecords } from './store/records.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly clock?: Clock;
  /** The interval of the retention job and of writing last-used times, instead of their own. */
  readonly background_every_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Migrates the database and serves AuthService. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'auth', level: config.log_level });
  return opening(log, async (resources) => {
    const { rpc_tls: files } = config;
    const certificates = files && openCertificates({ files, name: 'auth', log });
    resources.add('certificates', () => certificates?.close());
    await migrate({ database_url: config.database_url, dir: MIGRATIONS, log });
    const db = openPool({
      database_url: config.database_url,
      application_name: 'auth',
      max: config.database_pool_size,
      log,
    });
    resources.add('database', () => db.end());
    const records = openRecords(db);
    resources.add('records', () => records.$disconnect());

    const { rpc_transport: transport } = config;
    const oauth2 = connect(Oauth2ServiceDefinition, {
      address: config.oauth2_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'oauth2' },
    });
    resources.add('oauth2', () => oauth2.close());
    const limits = connectRateLimits(config.ratelimit_address, {
      transport,
      log,
      tls: certificates && { certificates, peer: 'ratelimit' },
      lists_buckets: false,
      max_buckets: 20_000,
    });
    resources.add('rate limits', limits.close);
    const media = connect(MediaServiceDefinition, {
      address: config.media_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'media' },
    });
    resources.add('media', () => media.close());
    const oldPictures = handOverPictures(db, media.client, log);
    resources.add('old pictures', () => oldPictures.close());
    const pictureChanges = openPictureChanges({ notes: pictureNotes(db), media: media.client, log });
    resources.add('picture changes', () => pictureChanges.close());
    const deletions = openAccountDeletions({ db, records, oauth2: oauth2.client, log });
    resources.add('account deletions', () => deletions.close());

    const passwords = openPasswords(config.password_concurrency);
    resources.add('password threads', () => passwords.close());
    const encryption = openEncryption(config.secret_keys);
    const { smtp_url, mail_dir, mail_from } = config;
    const deliver = smtp_url === undefined ? deliverToFiles(mail_dir) : deliverOverSmtp(smtp_url);
    const mail = openOutbox({ db, encryption, deliver, mail_from, log });
    resources.add('mail', () => mail.close());
    const every_ms = overrides.background_every_ms;
    resources.add('retention job', retentionJob({ db, log, expired: expired(config), every_ms }));
    const used = lastUsed({ db, log, every_ms });
    resources.add('last-used times', () => used.close());
    const clock = overrides.clock ?? systemClock;
    const handlers = authHandlers({
      config,
      db,
      records,
      ids: snowflakes({ worker: config.worker_id, clock }),
      clock,
      encryption,
      mail,
      media: media.client,
      pictureChanges,
      takeProfileChanges: profileLimits(limits),
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
    resources.add('server', () => server.close());
    return { address: server.address, close: () => resources.close() };
  });
}
