import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { dropTestDatabase, testDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { type Logger, silentLogger } from '@gatehouse/kit/log';
import { type Client, connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Oauth2AdminServiceDefinition } from '@gatehouse/proto/oauth2-admin';
import type pg from 'pg';
import type { Hardening } from '../src/hardening.ts';
import { kill, type ServiceProcess, startAuth, startService } from './processes.ts';
import { hardeningOf, startReplica, startReplicaProcess } from './replicas.ts';

export type Oauth2 = Client<typeof Oauth2ServiceDefinition>;
export type Oauth2Admin = Client<typeof Oauth2AdminServiceDefinition>;
export type Auth = Client<typeof AuthServiceDefinition>;
export type Chat = Client<typeof ChatServiceDefinition>;

/** The service with its database, and a real auth service. */
export interface Oauth2UnderTest {
  readonly oauth2: Oauth2;
  /** The RPCs for operators, of the same replica. */
  readonly admin: Oauth2Admin;
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

/** By default there is no log, and none of the other services runs. */
interface Options {
  readonly log?: Logger;
  /** Returns the database address to use, such as that of a proxy. */
  readonly through?: (database_url: string) => string;
  /** The address of chat, or a function that starts it. */
  readonly chat?: string | StartChat;
  readonly media_address?: string;
  readonly realtime_address?: string;
}

type StartChat = (serverUrl: string, auth_address: string) => Promise<ServiceProcess>;

const NOWHERE = '127.0.0.1:1';

export async function startOauth2(
  name: string,
  {
    log = silentLogger,
    through = (database_url) => database_url,
    chat = NOWHERE,
    media_address = NOWHERE,
    realtime_address = NOWHERE,
  }: Options = {},
): Promise<Oauth2UnderTest> {
  const authServerUrl = await testDatabaseUrl(name);
  const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-auth-'));
  let authProcess = await startAuth(authServerUrl, data_dir, `127.0.0.1:${await freePort()}`);
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

  const addresses = { auth_address, chat_address, media_address, realtime_address };
  const newReplica = async (hardening = hardeningOf()) => {
    const replica = await startReplica(through(database.database_url), addresses, hardening, log);
    closing.push(replica.close);
    return replica;
  };
  const killableReplica = async (): Promise<KillableReplica> => {
    const { client, close, process } = await startReplicaProcess(database.database_url, addresses);
    closing.push(close);
    return { oauth2: client, kill: () => kill(process) };
  };

  const { client: oauth2, admin } = await newReplica();
  return {
    oauth2,
    admin,
    auth: auth.client,
    db,
    replica: async (hardening) => (await newReplica(hardening)).client,
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
  const fixture = await startOauth2(name, { chat: startChat });
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
