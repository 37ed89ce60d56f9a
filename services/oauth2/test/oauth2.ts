import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropTestDatabase, testDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { type Logger, silentLogger } from '@gatehouse/kit/log';
import { anonymous, type Client, connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import {
  type CreateApplicationRequest,
  type Identity,
  Oauth2ServiceDefinition,
} from '@gatehouse/proto/oauth2';
import type pg from 'pg';
import { type Config, readConfig } from '../src/config.ts';
import type { Hardening } from '../src/hardening.ts';
import { start } from '../src/start.ts';
import { kill, type ServiceProcess, startAuth, startProgram, startService } from './processes.ts';

export const WEB_APP_URL = 'https://app.test';
export const ISSUER = 'https://api.test';

/** The hardening of these variables; none by default. */
export function hardeningOf(env: Readonly<Record<string, string>> = {}): Hardening {
  return readConfig({ DATABASE_URL: 'postgres://db', ...env }).hardening;
}

export type Oauth2 = Client<typeof Oauth2ServiceDefinition>;
export type Auth = Client<typeof AuthServiceDefinition>;
export type Chat = Client<typeof ChatServiceDefinition>;

/** The service with its database, and a real auth service. */
export interface Oauth2UnderTest {
  readonly oauth2: Oauth2;
  readonly auth: Auth;
  readonly db: pg.Pool;
  /** Starts another replica on the same database. */
  replica(hardening?: Hardening): Promise<Oauth2>;
  /** A replica in a process of its own. */
  killableReplica(): Promise<KillableReplica>;
  /** Stops auth. */
  killAuth(): Promise<void>;
  /** Starts auth again at the same address. */
  reviveAuth(): Promise<void>;
  close(): Promise<void>;
}

export interface KillableReplica {
  readonly oauth2: Oauth2;
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>;
}

export function startOauth2(
  name: string,
  log: Logger = silentLogger,
  /** Returns the database address to use, such as that of a proxy. */
  through = (database_url: string) => database_url,
  /** The address of chat. By default it is not running. */
  chat_address = '127.0.0.1:1',
): Promise<Oauth2UnderTest> {
  return startWithAuth({ name, log, through, chat: chat_address });
}

/** The same with a real chat service. */
export interface Oauth2WithChat extends Oauth2UnderTest {
  readonly chat: Chat;
  /** Chat's own database. */
  readonly chatDb: pg.Pool;
  /** Stops chat. */
  killChat(): Promise<void>;
}

export async function startOauth2WithChat(
  name: string,
  /** Returns the address of chat to use, such as that of a proxy. */
  through = (address: string) => address,
): Promise<Oauth2WithChat> {
  let chatProcess: ServiceProcess | undefined;
  let chatDb: pg.Pool | undefined;
  const startChat = async (serverUrl: string, auth_address: string) => {
    chatProcess = await startService('chat', {
      DATABASE_URL: serverUrl,
      LISTEN: '127.0.0.1:0',
      AUTH_ADDRESS: auth_address,
    });
    const database_url = databaseUrl(serverUrl, 'chat');
    chatDb = openPool({ database_url, application_name: 'test', max: 2 });
    return { ...chatProcess, address: through(chatProcess.address) };
  };
  const fixture = await startWithAuth({
    name,
    log: silentLogger,
    through: (database_url) => database_url,
    chat: startChat,
  });
  if (chatProcess === undefined || chatDb === undefined) throw new Error('chat was not started');
  const { process: child, address } = chatProcess;
  const database = chatDb;
  const { client: chat, close } = connect(ChatServiceDefinition, { address });
  return {
    ...fixture,
    chat,
    chatDb: database,
    killChat: () => kill(child),
    close: async () => {
      close();
      await database.end();
      await fixture.close();
    },
  };
}

interface Setup {
  readonly name: string;
  readonly log: Logger;
  readonly through: (database_url: string) => string;
  /** The address of chat, or a function that starts it. */
  readonly chat: string | ((serverUrl: string, auth_address: string) => Promise<ServiceProcess>);
}

async function startWithAuth({ name, log, through, chat }: Setup): Promise<Oauth2UnderTest> {
  const authServerUrl = await testDatabaseUrl(name);
  const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-auth-'));
  let authProcess = await startAuth(authServerUrl, data_dir, '127.0.0.1:0');
  const auth_address = authProcess.address;
  const { address: chat_address, process: chatProcess } =
    typeof chat === 'string'
      ? { address: chat, process: undefined }
      : await chat(authServerUrl, auth_address);
  const database = await testDatabase(fileURLToPath(new URL('../migrations', import.meta.url)), name);
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  const auth = connect(AuthServiceDefinition, { address: auth_address });
  const closing: (() => unknown)[] = [
    () => rm(data_dir, { recursive: true, force: true }),
    () => dropTestDatabase(`${authServerUrl}_auth`),
    () => chatProcess && dropTestDatabase(`${authServerUrl}_chat`),
    () => database.drop(),
    () => db.end(),
    () => kill(authProcess.process),
    () => chatProcess && kill(chatProcess),
    () => auth.close(),
  ];

  const addresses = { auth_address, chat_address };
  const replica = async (hardening = hardeningOf()): Promise<Oauth2> => {
    const { client, close } = await startReplica(through(database.database_url), addresses, hardening, log);
    closing.push(close);
    return client;
  };
  const killableReplica = async (): Promise<KillableReplica> => {
    const { client, close, process } = await startReplicaProcess(database.database_url, addresses);
    closing.push(close);
    return { oauth2: client, kill: () => kill(process) };
  };

  return {
    oauth2: await replica(),
    auth: auth.client,
    db,
    replica,
    killableReplica,
    killAuth: () => kill(authProcess.process),
    reviveAuth: async () => {
      authProcess = await startAuth(authServerUrl, data_dir, auth_address);
    },
    close: async () => {
      for (const close of closing.reverse()) await close();
    },
  };
}

interface Addresses {
  readonly auth_address: string;
  readonly chat_address: string;
}

async function startReplica(database_url: string, addresses: Addresses, hardening: Hardening, log: Logger) {
  const config: Config = {
    ...readConfig({ DATABASE_URL: 'postgres://localhost', LOG_LEVEL: 'silent' }),
    ...addresses,
    listen: '127.0.0.1:0',
    database_url,
    database_pool_size: 4,
    web_app_url: WEB_APP_URL,
    issuer: ISSUER,
    hardening,
  };
  const running = await start(config, { log });
  const connection = connect(Oauth2ServiceDefinition, { address: running.address });
  const close = async () => {
    connection.close();
    await running.close();
  };
  return { client: connection.client, close };
}

async function startReplicaProcess(database_url: string, { auth_address, chat_address }: Addresses) {
  const { address, process } = await startProgram('oauth2', new URL('fixtures/replica.ts', import.meta.url), {
    DATABASE_URL: database_url,
    LISTEN: '127.0.0.1:0',
    AUTH_ADDRESS: auth_address,
    CHAT_ADDRESS: chat_address,
    BASE_URL: 'https://api.test',
    WEB_APP_URL,
  });
  const connection = connect(Oauth2ServiceDefinition, { address });
  const close = async () => {
    connection.close();
    await kill(process);
  };
  return { client: connection.client, close, process };
}

export const IN_TIME = { timeoutMs: 20_000 };

let people = 0;

/** A new person as a caller, as sent by the edge. */
export async function newPerson(auth: Auth): Promise<Caller> {
  people++;
  const person = {
    email: `p${people}@example.com`,
    username: `p${people}`,
    password: 'correct horse battery',
  };
  const { user_id } = await auth.register(person, IN_TIME);
  return { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: user_id, credential_id: '1' };
}

export function settings(changes: Partial<CreateApplicationRequest> = {}): CreateApplicationRequest {
  return { name: 'Application', redirect_uris: [], ...changes };
}

/** The number of rows in each table. */
export async function rowCounts(db: pg.Pool): Promise<{ applications: number; reservations: number }> {
  const { rows } = await db.query<{ applications: number; reservations: number }>(
    `SELECT (SELECT count(*)::int FROM applications) AS applications,
            (SELECT count(*)::int FROM application_reservations) AS reservations`,
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error('the query returned no row');
  return counts;
}

/** An access token that was inserted directly. */
export interface AccessToken {
  readonly token: string;
  readonly id: string;
}

let accessTokens = 0;

export async function insertAccessToken(
  db: pg.Pool,
  of: { readonly application_id: string; readonly account_id: string; readonly scopes?: readonly string[] },
): Promise<AccessToken> {
  accessTokens++;
  const token = randomBytes(32).toString('base64url');
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + interval '604800 seconds') RETURNING id`,
    [
      accessTokens,
      hash('sha256', token, 'buffer'),
      of.application_id,
      of.account_id,
      of.scopes ?? ['identify'],
    ],
  );
  return { token, id: rows[0]?.id ?? '' };
}

/** The identity of an access token, if it is live. */
export async function whoIs(oauth2: Oauth2, token: string): Promise<Identity | undefined> {
  return (await oauth2.identify({ token }, IN_TIME)).identity ?? undefined;
}

/** A bot as a caller, as sent by the edge. */
export function botCaller(application_id: string): Caller {
  const kind = CallerKind.CALLER_KIND_BOT;
  return { ...anonymous, kind, account_id: application_id, credential_id: '1', application_id };
}
