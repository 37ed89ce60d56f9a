import { fileURLToPath } from 'node:url';
import { batcher } from '@gatehouse/kit/batch';
import type { Clock } from '@gatehouse/kit/clock';
import { migrate } from '@gatehouse/kit/db/migrate';
import { openPool } from '@gatehouse/kit/db/pool';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { connect, implement, openCertificates, serve } from '@gatehouse/kit/rpc';
import { snowflakes } from '@gatehouse/kit/snowflake';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import { peerRules } from '@gatehouse/proto/peers';
import { openEndedBots } from './applications/ended-bots.ts';
import { openUnmadeBots } from './applications/unmade-bots.ts';
import type { Config } from './config.ts';
import { oauth2Handlers } from './rpc/index.ts';
import { findIdentities } from './store/access-tokens.ts';
import { findClients } from './store/clients.ts';
import { exchangeCodes, exchangeRefreshTokens } from './store/exchange-grants.ts';
import { expiredRows } from './store/expired-rows.ts';
import { findCodes } from './store/find-codes.ts';
import { findTokens } from './store/find-tokens.ts';
import { openRecords } from './store/records.ts';
import { ACCESS_TOKEN_SECONDS } from './tokens/lifetimes.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly clock?: Clock;
  /** The interval of the retention job, instead of a minute. */
  readonly background_every_ms?: number;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Migrates the database and serves Oauth2Service. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'oauth2', level: config.log_level });
  return opening(log, async (resources) => {
    const { rpc_tls: files, hardening } = config;
    const certificates = files && openCertificates({ files, name: 'oauth2', log });
    resources.add('certificates', () => certificates?.close());
    await migrate({ database_url: config.database_url, dir: MIGRATIONS, log });
    const db = openPool({
      database_url: config.database_url,
      application_name: 'oauth2',
      max: config.database_pool_size,
      log,
    });
    resources.add('database', () => db.end());
    const records = openRecords(db);
    resources.add('records', () => records.$disconnect());
    resources.add(
      'retention job',
      retentionJob({ db, log, expired: expiredRows(hardening), every_ms: overrides.background_every_ms }),
    );
    const auth = connect(AuthServiceDefinition, {
      address: config.auth_address,
      transport: config.rpc_transport,
      log,
      tls: certificates && { certificates, peer: 'auth' },
    });
    resources.add('auth', () => auth.close());

    const chat = connect(ChatServiceDefinition, {
      address: config.chat_address,
      transport: config.rpc_transport,
      log,
      tls: certificates && { certificates, peer: 'chat' },
    });
    resources.add('chat', () => chat.close());

    const unmadeBots = openUnmadeBots({ db, records, auth: auth.client, log });
    resources.add('unmade bots', () => unmadeBots.close());

    const endedBots = openEndedBots({ db, auth: auth.client, chat: chat.client, log });
    resources.add('ended bots', () => endedBots.close());

    const handlers = oauth2Handlers({
      db,
      records,
      ids: snowflakes({ worker: config.worker_id, ...(overrides.clock && { clock: overrides.clock }) }),
      identify: batcher({ run: (token_hashes) => findIdentities(db, token_hashes) }),
      findClient: batcher({ run: (ids) => findClients(db, ids) }),
      findToken: batcher({ run: (asked) => findTokens(db, asked, hardening) }),
      findCode: batcher({ run: (hashes) => findCodes(db, hashes, hardening) }),
      exchangeCode: batcher({
        run: (exchanges) => exchangeCodes(db, exchanges, ACCESS_TOKEN_SECONDS, hardening),
      }),
      exchangeRefreshToken: batcher({
        run: (exchanges) => exchangeRefreshTokens(db, exchanges, ACCESS_TOKEN_SECONDS, hardening),
      }),
      endedBots,
      web_app_url: config.web_app_url,
      issuer: config.issuer,
      iss: hardening.callback_issuer ? config.issuer : undefined,
      hardening,
      chat: chat.client,
      auth: auth.client,
    });
    const server = await serve({
      address: config.listen,
      implementations: [implement(Oauth2ServiceDefinition, handlers)],
      log,
      tls: certificates && { certificates, peers: peerRules('oauth2') },
    });
    resources.add('server', () => server.close());
    return { address: server.address, close: () => resources.close() };
  });
}
