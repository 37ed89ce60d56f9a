import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres';
import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { openPool } from '@gatehouse/kit/db/pool';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Client, connect, type Handlers, implement, serve } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition, type User } from '@gatehouse/proto/auth';
import {
  ChatServiceDefinition,
  type CreateMessageRequest,
  type CreateWebhookMessageRequest,
  type EmbedInput,
  type Guild,
} from '@gatehouse/proto/chat';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import {
  type PeekSlowmodeRequest,
  type ProfileDenial,
  RatelimitServiceDefinition,
  type TakeProfileChangesRequest,
  type TakeSlowmodeRequest,
} from '@gatehouse/proto/ratelimit';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import type pg from 'pg';
import { type MediaUnderTest, serveMedia } from '../../media/client/test/fake-media.ts';
import { type Overrides, start } from '../src/start.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
const TIMEOUT_MS = 20_000;

export type ChatClient = Client<typeof ChatServiceDefinition>;

/** What the ratelimit service answers about slowmode, and what it was asked. */
export interface SlowmodeAnswers {
  /** Undefined: every message may be sent. */
  retry_after_us: number | undefined;
  /** What every answer waits for. */
  after: Promise<void>;
  readonly asked: TakeSlowmodeRequest[];
  readonly peeked: PeekSlowmodeRequest[];
}

/** What the webhook-delivery service holds. */
export interface WebhookWorld {
  /** Webhook ID → channel ID. */
  readonly webhooks: Map<string, string>;
  /** The channels of every EndChannels call so far. */
  readonly told: string[][];
  /** What every answer waits for. */
  after: Promise<void>;
}

/** What the ratelimit service answers about changes of profiles, and what it was asked. */
export interface ProfileAnswers {
  /** Undefined: every change may be made. */
  denial: ProfileDenial | undefined;
  readonly asked: TakeProfileChangesRequest[];
}

/**
 * One or more chat services on one database, an auth service that knows the `accounts`, a ratelimit service that says
 * `slowmode` and `profiles`, and a webhook-delivery service with webhooks.
 */
export interface Suite {
  /** A client of each replica. */
  readonly replicas: readonly ChatClient[];
  readonly chat: ChatClient;
  /** Straight to the database, for what no RPC does yet. */
  readonly sql: pg.Pool;
  readonly accounts: Map<string, User>;
  /** The IDs of every GetUsers call so far. */
  readonly lookups: string[][];
  readonly slowmode: SlowmodeAnswers;
  readonly profiles: ProfileAnswers;
  readonly media: MediaUnderTest;
  stopAuth(): Promise<void>;
  stopRatelimit(): Promise<void>;
  readonly webhookWorld: WebhookWorld;
  stopWebhookDelivery(): Promise<void>;
  /** Where it was before. */
  startWebhookDelivery(): Promise<void>;
  /** Ends a replica as if it were told to stop. */
  stopReplica(index: number): Promise<void>;
  close(): Promise<void>;
}

export async function startSuite(
  name: string,
  replicaCount = 1,
  overrides: Overrides = {},
  /** The way to the database, where it is not the direct one. */
  through = (database_url: string) => database_url,
): Promise<Suite> {
  const accounts = new Map<string, User>();
  const lookups: string[][] = [];
  const slowmode: SlowmodeAnswers = {
    retry_after_us: undefined,
    after: Promise.resolve(),
    asked: [],
    peeked: [],
  };
  const profiles: ProfileAnswers = { denial: undefined, asked: [] };
  const auth = await serveAuth(accounts, lookups);
  const ratelimit = await serveRatelimit(slowmode, profiles);
  const media = await serveMedia();
  const webhookWorld: WebhookWorld = { webhooks: new Map(), told: [], after: Promise.resolve() };
  let webhookDelivery: Running | undefined = await serveWebhookDelivery(webhookWorld);
  const { address: webhook_delivery_address } = webhookDelivery;
  const stopWebhookDelivery = async () => {
    await webhookDelivery?.close();
    webhookDelivery = undefined;
  };
  const database = await testDatabase(MIGRATIONS, name);
  const sql = openPool({ database_url: database.database_url, application_name: 'test', max: 8 });
  const services: Running[] = [];
  for (let worker_id = 1; worker_id <= replicaCount; worker_id++) {
    const config = {
      listen: '127.0.0.1:0',
      database_url: through(database.database_url),
      database_pool_size: 8,
      auth_address: auth.address,
      ratelimit_address: ratelimit.address,
      webhook_delivery_address,
      media_address: media.address,
      event_retention_minutes: 60,
      worker_id,
      log_level: 'silent',
      rpc_transport: 'stream' as const,
      rpc_tls: undefined,
    };
    services.push(await start(config, { log: silentLogger, ...overrides }));
  }
  const connections = services.map(({ address }) => connect(ChatServiceDefinition, { address }));
  const replicas = connections.map(({ client }) => client);
  const [chat] = replicas;
  if (chat === undefined) throw new Error('a suite needs a replica');
  const stops = services.map((service) => once(() => service.close()));
  const stopAuth = once(() => auth.close());
  const stopRatelimit = once(() => ratelimit.close());
  return {
    replicas,
    chat,
    sql,
    accounts,
    lookups,
    slowmode,
    profiles,
    media,
    stopAuth,
    stopRatelimit,
    webhookWorld,
    stopWebhookDelivery,
    startWebhookDelivery: async () => {
      webhookDelivery ??= await serveWebhookDelivery(webhookWorld, webhook_delivery_address);
    },
    stopReplica: async (index) => stops[index]?.(),
    close: async () => {
      for (const connection of connections) connection.close();
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all([stopAuth(), stopRatelimit(), stopWebhookDelivery(), media.close()]);
      await sql.end();
      await database.drop();
    },
  };
}

function serveAuth(accounts: Map<string, User>, lookups: string[][]): Promise<Running> {
  const handlers = someHandlers(AuthServiceDefinition, {
    getUsers: ({ ids }) => {
      lookups.push([...ids].sort());
      return { users: ids.map((id) => accounts.get(id)).filter((user) => user !== undefined) };
    },
  });
  const implementations = [implement(AuthServiceDefinition, handlers)];
  return serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
}

function serveRatelimit(slowmode: SlowmodeAnswers, profiles: ProfileAnswers): Promise<Running> {
  const handlers: Handlers<typeof RatelimitServiceDefinition> = {
    check: absent,
    checkMany: absent,
    peek: absent,
    refund: absent,
    reset: absent,
    listBuckets: absent,
    explain: absent,
    getStatistics: absent,
    takeProfileChanges: (request) => {
      profiles.asked.push(request);
      return { denial: profiles.denial ?? null, degraded: false };
    },
    peekSlowmode: (request) => {
      slowmode.peeked.push(request);
      return { retry_after_us: slowmode.retry_after_us ?? null, degraded: false };
    },
    takeSlowmode: async (request) => {
      slowmode.asked.push(request);
      await slowmode.after;
      return { retry_after_us: slowmode.retry_after_us ?? null, degraded: false };
    },
  };
  const implementations = [implement(RatelimitServiceDefinition, handlers)];
  return serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
}

function serveWebhookDelivery(world: WebhookWorld, address = '127.0.0.1:0'): Promise<Running> {
  const handlers = someHandlers(WebhookDeliveryServiceDefinition, {
    endChannels: async ({ channel_ids }) => {
      world.told.push(channel_ids);
      await world.after;
      for (const [id, channel] of world.webhooks)
        if (channel_ids.includes(channel)) world.webhooks.delete(id);
      return {};
    },
  });
  const implementations = [implement(WebhookDeliveryServiceDefinition, handlers)];
  return serve({ address, implementations, log: silentLogger });
}

function absent(): never {
  throw new Fault({ status: Status.UNIMPLEMENTED, reason: 'UNIMPLEMENTED', message: 'Not served here.' });
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}

let lastId = 900_000_000_000_000_000n;

/** An ID that nothing else has. */
export function newId(): string {
  lastId += 1n;
  return String(lastId);
}

/** Makes an account that the auth service knows. */
export function addAccount({ accounts }: Suite, username = 'somebody'): string {
  const id = newId();
  accounts.set(id, { id, username, discriminator: '0', global_name: null, avatar: null, bot: false });
  return id;
}

/** Call options on an account's behalf. */
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

/** Call options of a service that calls without a caller. */
export const internally = { timeoutMs: TIMEOUT_MS };

export interface World {
  readonly owner: string;
  readonly guild: Guild;
  readonly guild_id: string;
  /** The ID of its channel "general". */
  readonly general: string;
}

/** A guild as its owner makes it. */
export async function addGuild(suite: Suite): Promise<World> {
  const owner = addAccount(suite, 'owner');
  const { guild } = await suite.chat.createGuild({ name: 'Guild' }, as(owner));
  if (guild === null) throw new Error('no guild came back');
  const { channels } = await suite.chat.listGuildChannels({ guild_id: guild.id }, as(owner));
  const general = channels[0]?.id;
  if (general === undefined) throw new Error('the guild has no channel');
  return { owner, guild, guild_id: guild.id, general };
}

/** Makes an account and lets it into the guild. */
export async function addMember(suite: Suite, guild_id: string): Promise<string> {
  const id = addAccount(suite, 'member');
  await suite.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [guild_id, id]);
  await suite.sql.query('UPDATE guilds SET member_count = member_count + 1 WHERE id = $1', [guild_id]);
  return id;
}

/** Makes a role, and gives it to a member if one is named. */
export async function addRole(
  { sql }: Suite,
  guild_id: string,
  permissions: bigint,
  {
    holder,
    mentionable = false,
    position = 1,
  }: { holder?: string; mentionable?: boolean; position?: number } = {},
): Promise<string> {
  const id = newId();
  await sql.query(
    `INSERT INTO roles (id, guild_id, name, position, permissions, mentionable)
     VALUES ($1, $2, 'role', $5, $3, $4)`,
    [id, guild_id, permissions, mentionable, position],
  );
  if (holder !== undefined) {
    await sql.query('INSERT INTO member_roles (guild_id, account_id, role_id) VALUES ($1, $2, $3)', [
      guild_id,
      holder,
      id,
    ]);
  }
  return id;
}

/** Makes a channel; without a guild a private one. */
export async function addChannel({ sql }: Suite, guild_id: string | null, type: number): Promise<string> {
  const id = newId();
  await sql.query(`INSERT INTO channels (id, guild_id, type, name, position) VALUES ($1, $2, $3, 'c', 1)`, [
    id,
    guild_id,
    type,
  ]);
  return id;
}

export async function addOverwrite(
  { sql }: Suite,
  channel_id: string,
  overwrite: { id: string; type: number; allow?: bigint; deny?: bigint },
): Promise<void> {
  const { id, type, allow = 0n, deny = 0n } = overwrite;
  await sql.query(
    'INSERT INTO permission_overwrites (channel_id, id, type, allow, deny) VALUES ($1, $2, $3, $4, $5)',
    [channel_id, id, type, allow, deny],
  );
}

/** The events about a channel, in the order of the log. */
export async function channelEvents(
  { sql }: Suite,
  channel_id: string,
): Promise<{ type: string; account_ids: string[] | null; payload: Record<string, unknown> }[]> {
  const { rows } = await sql.query(
    'SELECT type, account_ids, payload FROM events WHERE channel_id = $1 ORDER BY id',
    [channel_id],
  );
  return rows;
}

/** The entries of a guild's audit log about a target, the oldest first. */
export async function auditEntries(
  { sql }: Suite,
  guild_id: string,
  target_id: string,
): Promise<
  {
    action_type: number;
    user_id: string;
    reason: string | null;
    options: object | null;
    changes: { key: string; old_value?: unknown; new_value?: unknown }[];
  }[]
> {
  const { rows } = await sql.query(
    `SELECT action_type, user_id, reason, options, changes FROM audit_log_entries
     WHERE guild_id = $1 AND target_id = $2 ORDER BY id`,
    [guild_id, target_id],
  );
  return rows;
}

/** A message's request with what a test does not care about filled in. */
export function messageOf(
  channel_id: string,
  message: Partial<CreateMessageRequest> | string,
): CreateMessageRequest {
  return { channel_id, embeds: [], ...(typeof message === 'string' ? { content: message } : message) };
}

/** As messageOf, for a webhook. */
export function webhookMessageOf(
  channel_id: string,
  message: Partial<CreateWebhookMessageRequest> | string,
): CreateWebhookMessageRequest {
  return {
    webhook_id: '77',
    channel_id,
    username: 'Deploys',
    embeds: [],
    ...(typeof message === 'string' ? { content: message } : message),
  };
}

export function embedOf(embed: Partial<EmbedInput>): EmbedInput {
  return { fields: [], ...embed };
}

/** The fault that a call must end in. */
export async function faultOf(call: Promise<unknown>): Promise<Fault> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('the call was expected to fail');
}

/** The public code of the fault that a call must end in. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  return (await faultOf(call)).reason;
}

/** The paths and codes of the violations that a call must end in. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  return (await faultOf(call)).violations.map(({ path, code }) => `${path} ${code}`);
}
