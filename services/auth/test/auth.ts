import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import type { Clock } from '@gatehouse/kit/clock';
import { openPool } from '@gatehouse/kit/db/pool';
import { type Logger, silentLogger } from '@gatehouse/kit/log';
import { anonymous, type Client, connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition, type RegisterRequest, type RegisterResponse } from '@gatehouse/proto/auth';
import { AuthAdminServiceDefinition } from '@gatehouse/proto/auth-admin';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type pg from 'pg';
import { type FakeMedia, serveMedia } from '../../media/client/test/fake-media.ts';
import { type Config, readConfig } from '../src/config.ts';
import { start } from '../src/start.ts';

export type Auth = Client<typeof AuthServiceDefinition>;
export type Admin = Client<typeof AuthAdminServiceDefinition>;

/** Both contracts of one replica. */
export interface Replica {
  readonly auth: Auth;
  readonly admin: Admin;
}

/** The service on a database of its own, with its database and further replicas on demand. */
export interface AuthUnderTest {
  readonly auth: Auth;
  readonly admin: Admin;
  readonly address: string;
  readonly db: pg.Pool;
  readonly media: FakeMedia;
  /** The folder of mails, unless SMTP is configured. */
  readonly mail_dir: string;
  replica(): Promise<Auth>;
  adminReplica(): Promise<Replica>;
  /** Stops all replicas and starts a new one. */
  restart(): Promise<Auth>;
  close(): Promise<void>;
}

export interface AuthOptions {
  readonly log?: Logger;
  /** Returns the database address to use, such as that of a proxy. */
  readonly through?: (database_url: string) => string;
  /** Overrides settings. */
  readonly config?: Partial<Config>;
  readonly clock?: Clock;
  readonly background_every_ms?: number;
}

const SECRET_KEY = 'a secret key of tests and long enough';

const SETTINGS = {
  ...readConfig({ DATABASE_URL: 'postgres://localhost', LOG_LEVEL: 'silent', AUTH_SECRET_KEY: SECRET_KEY }),
  listen: '127.0.0.1:0',
  database_pool_size: 4,
  password_concurrency: 2,
  oauth2_address: '127.0.0.1:1',
  chat_address: '127.0.0.1:1',
  webhook_delivery_address: '127.0.0.1:1',
  ratelimit_address: '127.0.0.1:1',
  secret_keys: [SECRET_KEY],
  web_app_url: 'http://127.0.0.1:8080',
  gateway_url: 'ws://127.0.0.1:8080/gateway',
  smtp_url: undefined,
  mail_from: 'Gatehouse <no-reply@localhost>',
  branding: {
    product_name: 'Gatehouse',
    logo_url: undefined,
    accent_color: '#3b5bdb',
    support_url: undefined,
    legal_url: undefined,
  },
  login_location_check: true,
  security_events_days: 90,
  event_retention_minutes: 60,
  session_idle_days: undefined,
  session_max_days: undefined,
  verified_email_only: false,
} satisfies Partial<Config>;

export async function startAuth(name: string, options: AuthOptions = {}): Promise<AuthUnderTest> {
  const { log = silentLogger, through = (database_url) => database_url } = options;
  const database = await testDatabase(fileURLToPath(new URL('../migrations', import.meta.url)), name);
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  const mail_dir = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'));
  const media = await serveMedia();
  const closing: (() => unknown)[] = [
    () => media.close(),
    () => database.drop(),
    () => db.end(),
    () => rm(mail_dir, { recursive: true, force: true }),
  ];
  const running: (() => Promise<void>)[] = [];
  // Tests change options.config between replicas.
  const configNow = (): Config => ({
    ...SETTINGS,
    database_url: through(database.database_url),
    media_address: media.address,
    mail_dir,
    ...options.config,
  });

  async function replica(): Promise<Replica & { address: string }> {
    const service = await start(configNow(), {
      log,
      ...(options.clock && { clock: options.clock }),
      ...(options.background_every_ms && { background_every_ms: options.background_every_ms }),
    });
    const { address } = service;
    const { client: auth, close } = connect(AuthServiceDefinition, { address });
    const { client: admin, close: closeAdmin } = connect(AuthAdminServiceDefinition, { address });
    running.push(async () => {
      close();
      closeAdmin();
      await service.close();
    });
    return { auth, admin, address };
  }

  async function closeReplicas(): Promise<void> {
    for (const close of running.splice(0).reverse()) await close();
  }

  const first = await replica();
  return {
    ...first,
    db,
    media,
    mail_dir,
    replica: async () => (await replica()).auth,
    adminReplica: replica,
    restart: async () => {
      await closeReplicas();
      return (await replica()).auth;
    },
    close: async () => {
      await closeReplicas();
      for (const close of closing.reverse()) await close();
    },
  };
}

/** Hashing 64 passwords takes a while on a busy machine. */
export const IN_TIME = { timeoutMs: 60_000 };

let people = 0;

/** A new person. */
export function newcomer(changes: Partial<RegisterRequest> = {}): RegisterRequest {
  people++;
  return {
    email: `person.${people}@example.com`,
    username: `person_${people}`,
    password: 'correct horse battery',
    ...changes,
  };
}

/** An account and the caller of its session, as sent by the edge. */
export async function registered(
  auth: Auth,
  changes: Partial<RegisterRequest> = {},
): Promise<RegisterResponse & { caller: Caller }> {
  const answer = await auth.register(newcomer(changes), IN_TIME);
  return { ...answer, caller: await sessionCaller(auth, answer.token) };
}

/** The caller of a session token. */
export async function sessionCaller(auth: Auth, token: string): Promise<Caller> {
  const { identity } = await auth.identify({ kind: CallerKind.CALLER_KIND_SESSION, token }, IN_TIME);
  if (identity == null) throw new Error('the session is not live');
  return { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, ...identity };
}

/** The account of a token, if it is live. */
export async function whoIs(auth: Auth, kind: CallerKind, token: string): Promise<string | undefined> {
  const { identity } = await auth.identify({ kind, token }, IN_TIME);
  return identity?.account_id;
}

/** The session token of a login without a second step. */
export function tokenOf(answer: { token?: string | null | undefined }): string {
  if (answer.token == null) throw new Error('the login requires a second factor');
  return answer.token;
}
