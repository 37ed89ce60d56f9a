import { fileURLToPath } from 'node:url';
import { batcher } from '@gatehouse/kit/batch';
import { type Clock, systemClock } from '@gatehouse/kit/clock';
import { migrate } from '@gatehouse/kit/db/migrate';
import { openPool } from '@gatehouse/kit/db/pool';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { imageInspector } from '@gatehouse/kit/picture/inspect';
import { connect, implement, openCertificates, serve } from '@gatehouse/kit/rpc';
import { snowflakes } from '@gatehouse/kit/snowflake';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
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
    const ratelimit = connect(RatelimitServiceDefinition, {
      address: config.ratelimit_address,
      transport,
      log,
      tls: certificates && { certificates, peer: 'ratelimit' },
    });
    resources.add('ratelimit', () => ratelimit.close());
    const changes = memoryStore({ rules: PROFILE_RULES, max_buckets: 20_000, now_us: monotonicClock });
    resources.add('sweeper', sweeper(changes, monotonicClock, log).close);
    const deletions = openAccountDeletions({ db, oauth2: oauth2.client, log });
    resources.add('account deletions', () => deletions.close());

    const passwords = openPasswords(config.password_concurrency);
    resources.add('password threads', () => passwords.close());
    const seals = openSeals(config.secret_keys);
    const { mail_from } = config;
    const mail = openOutbox({ db, seals, deliver: openDelivery(config), mail_from, log });
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
      seals,
      mail,
      inspectPicture: imageInspector(),
      takeProfileChanges: profileLimits(ratelimit.client, changes),
      deletions,
      passwords,
      identify: batcher({ run: identityFinder(db, config) }),
      lastUsed: used,
      findAccount: batcher({ run: (ids) => findAccounts(db, ids) }),
    });
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
