import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Client, connect } from '@gatehouse/kit/rpc';
import type { User } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { ChatAdminServiceDefinition } from '@gatehouse/proto/chat-admin';
import type pg from 'pg';
import { type FakeMedia, serveMedia } from '../../../media/client/test/fake-media.ts';
import { readConfig } from '../../src/config.ts';
import { type Overrides, start } from '../../src/start.ts';
import {
  type AuthAnswers,
  type FakeWebhookDelivery,
  type ProfileAnswers,
  type SlowmodeAnswers,
  serveAuth,
  serveRatelimit,
  serveWebhookDelivery,
} from './fake-services.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

export type ChatClient = Client<typeof ChatServiceDefinition>;
export type AdminClient = Client<typeof ChatAdminServiceDefinition>;

/**
 * One or more replicas of chat on one database, with fakes of auth, ratelimit, webhook-delivery and media that tests
 * control.
 */
export interface ChatFixture {
  /** A client of each replica. */
  readonly replicas: readonly ChatClient[];
  readonly chat: ChatClient;
  /** The operators' client of the first replica. */
  readonly admin: AdminClient;
  /** The database, for data that no RPC shows. */
  readonly sql: pg.Pool;
  readonly accounts: Map<string, User>;
  /** The IDs of every GetUsers call. */
  readonly lookups: string[][];
  readonly authAnswers: AuthAnswers;
  readonly slowmode: SlowmodeAnswers;
  readonly profiles: ProfileAnswers;
  readonly media: FakeMedia;
  stopAuth(): Promise<void>;
  stopRatelimit(): Promise<void>;
  readonly webhookDelivery: FakeWebhookDelivery;
  stopWebhookDelivery(): Promise<void>;
  /** Starts webhook-delivery again at the same address. */
  startWebhookDelivery(): Promise<void>;
  /** Stops a replica as SIGTERM does. */
  stopReplica(index: number): Promise<void>;
  close(): Promise<void>;
}

export async function startChat(
  name: string,
  replicaCount = 1,
  overrides: Overrides = {},
  /** Replaces the database URL, for example by a proxy's. */
  through = (database_url: string) => database_url,
): Promise<ChatFixture> {
  const fakes = await startFakes();
  const database = await testDatabase(MIGRATIONS, name);
  const sql = openPool({ database_url: database.database_url, application_name: 'test', max: 8 });
  const services: Running[] = [];
  for (let replica = 1; replica <= replicaCount; replica++) {
    const config = {
      ...readConfig({ DATABASE_URL: 'postgres://localhost', LOG_LEVEL: 'silent' }),
      ...fakes.addresses,
      listen: '127.0.0.1:0',
      database_url: through(database.database_url),
      database_pool_size: 8,
    };
    services.push(await start(config, { log: silentLogger, ...overrides }));
  }
  const connections = services.map(({ address }) => connect(ChatServiceDefinition, { address }));
  const replicas = connections.map(({ client }) => client);
  const [chat] = replicas;
  const [first] = services;
  if (chat === undefined || first === undefined) throw new Error('at least one replica is required');
  const admin = connect(ChatAdminServiceDefinition, { address: first.address });
  const stops = services.map((service) => once(() => service.close()));
  return {
    ...fakes.controls,
    replicas,
    chat,
    admin: admin.client,
    sql,
    stopReplica: async (index) => stops[index]?.(),
    close: async () => {
      for (const connection of [...connections, admin]) connection.close();
      await Promise.all(stops.map((stop) => stop()));
      await fakes.close();
      await sql.end();
      await database.drop();
    },
  };
}

/** Starts fakes of the services that chat calls. */
async function startFakes() {
  const accounts = new Map<string, User>();
  const lookups: string[][] = [];
  const slowmode: SlowmodeAnswers = {
    retry_after_us: undefined,
    gate: Promise.resolve(),
    requests: [],
    peeks: [],
  };
  const profiles: ProfileAnswers = { denial: undefined, requests: [] };
  const authAnswers: AuthAnswers = { gate: Promise.resolve() };
  const auth = await serveAuth(accounts, lookups, authAnswers);
  const ratelimit = await serveRatelimit(slowmode, profiles);
  const media = await serveMedia();
  const webhookDelivery: FakeWebhookDelivery = { webhooks: new Map(), ended: [], gate: Promise.resolve() };
  const webhook_delivery_address = `127.0.0.1:${await freePort()}`;
  let webhookServer: Running | undefined = await serveWebhookDelivery(
    webhookDelivery,
    webhook_delivery_address,
  );
  const stopWebhookDelivery = async () => {
    await webhookServer?.close();
    webhookServer = undefined;
  };
  const startWebhookDelivery = async () => {
    webhookServer ??= await serveWebhookDelivery(webhookDelivery, webhook_delivery_address);
  };
  const stopAuth = once(() => auth.close());
  const stopRatelimit = once(() => ratelimit.close());
  return {
    addresses: {
      auth_address: auth.address,
      ratelimit_address: ratelimit.address,
      webhook_delivery_address,
      media_address: media.address,
    },
    controls: {
      accounts,
      lookups,
      authAnswers,
      slowmode,
      profiles,
      media,
      stopAuth,
      stopRatelimit,
      webhookDelivery,
      stopWebhookDelivery,
      startWebhookDelivery,
    },
    close: () => Promise.all([stopAuth(), stopRatelimit(), stopWebhookDelivery(), media.close()]),
  };
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
