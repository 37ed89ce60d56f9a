import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import { type Logger, silentLogger } from '@gatehouse/kit/log';
import { type Client, connect } from '@gatehouse/kit/rpc';
import type { User } from '@gatehouse/proto/auth';
import type { CreateWebhookMessageRequest } from '@gatehouse/proto/chat';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { type Webhook, WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { WebhookDeliveryAdminServiceDefinition } from '@gatehouse/proto/webhook-delivery-admin';
import type pg from 'pg';
import { type Config, readConfig } from '../src/config.ts';
import { start } from '../src/start.ts';
import { type AuthHooks, serveAuth } from './fixtures/serve-auth.ts';
import { type FakeChat, serveChat } from './fixtures/serve-chat.ts';
import { type FakeMedia, serveMedia } from './fixtures/serve-media.ts';
import { startReplicaProcess } from './fixtures/start-replica-process.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
const TIMEOUT_MS = 20_000;

export type WebhookDeliveryClient = Client<typeof WebhookDeliveryServiceDefinition>;
export type AdminClient = Client<typeof WebhookDeliveryAdminServiceDefinition>;

/** Replicas of the service on one database, with fake chat, auth and media services. */
export interface WebhookDelivery extends FakeChat {
  readonly media: FakeMedia;
  readonly client: WebhookDeliveryClient;
  /** A client of each replica. */
  readonly replicas: readonly WebhookDeliveryClient[];
  /** The operators' client of the first replica. */
  readonly admin: AdminClient;
  readonly sql: pg.Pool;
  readonly accounts: Map<string, User>;
  /** The IDs of every GetUsers call so far. */
  readonly lookups: readonly (readonly string[])[];
  readonly beforeAuth: AuthHooks;
  stopChat(): Promise<void>;
  /** Restarts chat at its old address. */
  startChat(): Promise<void>;
  stopMedia(): Promise<void>;
  /** Restarts media at its old address. */
  startMedia(): Promise<void>;
  /** A replica in a process of its own, which can be killed. */
  startReplicaProcess(): Promise<{ readonly client: WebhookDeliveryClient; kill(): Promise<void> }>;
  close(): Promise<void>;
}

/** The account that may manage webhooks everywhere. */
export const MANAGER = '41';
export const GUILD = '51';
export const CHANNEL = '61';

export interface WebhookDeliveryOptions {
  readonly replicas?: number;
  readonly log?: Logger;
  /** The address of the first replica's metrics. */
  readonly metrics_listen?: string;
  readonly background_every_ms?: number;
  /** Returns the database address to use, such as that of a proxy. */
  readonly through?: (database_url: string) => string;
}

export async function startWebhookDelivery(
  name: string,
  options: WebhookDeliveryOptions = {},
): Promise<WebhookDelivery> {
  const { replicas: count = 1, log = silentLogger, through = (database_url) => database_url } = options;
  const { metrics_listen, background_every_ms } = options;
  const peers = await startPeers();
  const database = await testDatabase(MIGRATIONS, name);
  const sql = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  const configOf = (replica: number): Config => ({
    ...readConfig({ DATABASE_URL: 'postgres://localhost', LOG_LEVEL: 'silent' }),
    ...peers.addresses,
    listen: '127.0.0.1:0',
    database_url: through(database.database_url),
    database_pool_size: 8,
    base_url: 'https://api.test',
    metrics_listen: replica === 0 ? metrics_listen : undefined,
  });
  const startReplica = (replica: number) =>
    start(configOf(replica), { log, ...(background_every_ms !== undefined && { background_every_ms }) });
  const services = await Promise.all(Array.from({ length: count }, (_, index) => startReplica(index)));
  const connections = services.map(({ address }) => connect(WebhookDeliveryServiceDefinition, { address }));
  const replicas = connections.map((connection) => connection.client);
  const [client] = replicas;
  const [first] = services;
  if (client === undefined || first === undefined) throw new Error('at least one replica is required');
  const admin = connect(WebhookDeliveryAdminServiceDefinition, { address: first.address });
  let closed: Promise<void> | undefined;
  const close = async () => {
    for (const connection of [...connections, admin]) connection.close();
    await Promise.all(services.map((service) => service.close()));
    await Promise.all([peers.close(), sql.end()]);
    await database.drop();
  };
  return {
    ...peers.state,
    client,
    replicas,
    admin: admin.client,
    sql,
    startReplicaProcess: () => startReplicaProcess(configOf(count)),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Starts fake chat, auth and media services. Returns their state and the functions that control them. */
async function startPeers() {
  const fake = newFakeChat();
  const lookups: string[][] = [];
  const accounts = new Map<string, User>([[MANAGER, userOf(MANAGER, 'manager')]]);
  const beforeAuth: AuthHooks = {};
  const mediaFake: FakeMedia = { uploads: new Map(), published: new Set(), before: {} };
  let chat = await serveChat(fake, `127.0.0.1:${await freePort()}`);
  const auth = await serveAuth(accounts, lookups, beforeAuth);
  let media = await serveMedia(mediaFake, `127.0.0.1:${await freePort()}`);
  return {
    addresses: { chat_address: chat.address, auth_address: auth.address, media_address: media.address },
    state: {
      ...fake,
      accounts,
      lookups,
      beforeAuth,
      media: mediaFake,
      stopChat: () => chat.close(),
      startChat: async () => {
        chat = await serveChat(fake, chat.address);
      },
      stopMedia: () => media.close(),
      startMedia: async () => {
        media = await serveMedia(mediaFake, media.address);
      },
    },
    close: () => Promise.all([chat.close(), auth.close(), media.close()]),
  };
}

function newFakeChat(): FakeChat {
  return {
    channels: new Map([[CHANNEL, GUILD]]),
    managers: new Set([MANAGER]),
    webhook_managers: new Set(),
    messages: new Map(),
    posted: [],
    edits: [],
    deliveries: new Set(),
    refused: new Set(),
    changes: new Map(),
    closed: new Set(),
    categories: new Set(),
    disabled: new Set(),
    fences: new Map(),
    before: {},
  };
}

export function userOf(id: string, username: string): User {
  return { id, username, discriminator: '0', global_name: null, avatar: null, bot: false };
}

/** Call options without a caller. */
export const anonymous = { timeoutMs: TIMEOUT_MS };

/** Call options of an account. */
export function as(account_id: string): { caller: Caller; timeoutMs: number } {
  const caller: Caller = {
    kind: CallerKind.CALLER_KIND_SESSION,
    account_id,
    credential_id: '1',
    application_id: '',
    scopes: [],
    ip: '192.0.2.1',
    user_agent: '',
  };
  return { caller, timeoutMs: TIMEOUT_MS };
}

/** Creates a webhook as the manager, in CHANNEL by default. */
export async function addWebhook(
  { client }: WebhookDelivery,
  webhook: { channel_id?: string; name?: string; avatar?: string } = {},
): Promise<Webhook> {
  const response = await client.createWebhook(
    { channel_id: CHANNEL, name: 'Deploys', ...webhook },
    as(MANAGER),
  );
  if (response.webhook === null) throw new Error('no webhook came back');
  return response.webhook;
}

/** The ID and the token. */
export function credentialOf({ id, token }: Webhook): { webhook_id: string; token: string } {
  return { webhook_id: id, token };
}

/** A body: JSON of a value, or bytes unchanged. */
export function bodyOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
}

/** The last message that chat was asked to post. */
export function lastPosted({ posted }: WebhookDelivery): CreateWebhookMessageRequest {
  const last = posted.at(-1);
  if (last === undefined) throw new Error('nothing was posted');
  return last;
}
