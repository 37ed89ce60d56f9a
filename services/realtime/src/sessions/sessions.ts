import type { Users } from '@gatehouse/auth-client/users';
import { concurrency } from '@gatehouse/kit/concurrency';
import { isOutage } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { sparingly } from '@gatehouse/kit/log-sparingly';
import type { Bounds } from '../config.ts';
import {
  CloseCode,
  type Connection,
  type Gateway,
  type Identify,
  type Resume,
} from '../connections/connection.ts';
import { dispatchOf } from '../connections/dispatch.ts';
import type { World } from '../world/world.ts';
import type { Audience } from './audience.ts';
import { begin, usersShownTo } from './begin.ts';
import type { Credential, Credentials } from './credential.ts';
import { endedCredentials } from './ended-credentials.ts';
import { pump, type ReadAgain } from './pump.ts';
import type { Registry } from './registry.ts';
import type { Session } from './session.ts';
import { sweep } from './sweep.ts';
import { userUpdates } from './user-updates.ts';

export interface SessionsOptions {
  readonly registry: Registry;
  readonly world: World<Audience>;
  readonly credentials: Credentials;
  readonly users: Users;
  /** Brings an account into the world. */
  readonly loadAccount: (account_id: string) => Promise<void>;
  readonly readAgain: ReadAgain;
  /** Asks the other replicas for a session; undefined: none has it. */
  readonly claim: (session_id: string, credential: Credential) => Promise<Session | undefined>;
  readonly resume_gateway_url: string;
  readonly bounds: Bounds;
  readonly counts: SessionCounts;
  readonly log: Logger;
}

export interface SessionCounts {
  identified(outcome: 'ready' | 'failed' | 'refused'): void;
  resumed(outcome: 'resumed' | 'invalid'): void;
}

export interface Sessions extends Gateway {
  credentialEnded(credential_id: string): void;
  userUpdated(account_id: string): void;
  /** All sessions end: what they know is void. Their clients identify anew. */
  endAll(): void;
  close(): void;
}

/** Identify, Resume, and what becomes of a session (docs/gateway.md). */
export function sessions(options: SessionsOptions): Sessions {
  const { registry, world, bounds, counts, log } = options;
  const ended = endedCredentials();
  const inTurn = concurrency({ at_once: bounds.max_identifies, max_waiting: bounds.max_connections });
  const updates = userUpdates(options);
  const complain = sparingly<unknown>((times, error) =>
    log.warn({ err: error, times }, 'clients cannot identify or resume'),
  );
  /** Connections whose Identify or Resume is under way. */
  const busy = new Set<Connection>();
  const stopSweep = sweep(registry);

  /** Runs an Identify or a Resume in its turn. What fails closes the connection: its client tries again. */
  function start(connection: Connection, work: () => Promise<void>): void {
    busy.add(connection);
    void inTurn(async () => {
      if (busy.has(connection)) await work();
    })
      .catch((error) => {
        if (isOutage(error)) complain(error);
        else log.error({ err: error, connection: connection.id }, 'an Identify or Resume failed');
        counts.identified('failed');
        connection.close(CloseCode.UNKNOWN_ERROR);
      })
      .finally(() => busy.delete(connection));
  }

  async function identify(connection: Connection, { token, shard }: Identify): Promise<void> {
    const credential = await options.credentials.identify(token);
    if (credential === undefined) return refuse(connection, CloseCode.AUTHENTICATION_FAILED);
    const { account_id } = credential;
    const letGo = registry.hold(account_id);
    const watch = updates.watch(account_id);
    try {
      let user = await options.credentials.currentUser(credential);
      const account = await accountOf(account_id);
      const users = await usersShownTo(account, options.users);
      while (user !== undefined && watch.isStale()) user = await options.credentials.currentUser(credential);
      if (!busy.has(connection)) return;
      if (user === undefined || ended.has(credential.credential_id))
        return refuse(connection, CloseCode.AUTHENTICATION_FAILED);
      // All was forgotten meanwhile, because events were missed.
      if (world.account(account_id) !== account) return refuse(connection, CloseCode.UNKNOWN_ERROR);
      if (!makeRoom(account_id)) return refuse(connection, CloseCode.RATE_LIMITED);
      const { resume_gateway_url } = options;
      const { max_positions } = bounds;
      const session = begin(account, users, { credential, user, shard, resume_gateway_url, max_positions });
      registry.add(session);
      connect(session, connection);
      counts.identified('ready');
      void send(session, 0).then(() => session.positions.forget(READY_SEQ));
    } finally {
      watch.stop();
      letGo();
    }
  }

  /** The account is held: it stays in the world. */
  async function accountOf(account_id: string) {
    await options.loadAccount(account_id);
    const account = world.account(account_id);
    if (account === undefined) throw new Error('an account that was loaded is not there');
    return account;
  }

  function refuse(connection: Connection, code: CloseCode): void {
    counts.identified('refused');
    connection.close(code);
  }

  /** Sessions without a connection make room, the oldest first. */
  function makeRoom(account_id: string): boolean {
    const all = registry.ofAccount(account_id);
    if (all.length < bounds.max_sessions_per_account) return true;
    const [oldest] = all
      .filter(({ connection }) => connection === undefined)
      .sort((one, other) => one.disconnectedAt_ms - other.disconnectedAt_ms);
    if (oldest === undefined) return false;
    registry.end(oldest);
    return true;
  }

  async function resume(connection: Connection, { token, session_id, seq }: Resume): Promise<void> {
    const credential = await options.credentials.identify(token);
    const session = credential && (await sessionOf(session_id, credential));
    if (!busy.has(connection)) return;
    if (session === undefined || ended.has(session.credential_id)) return invalid(connection);
    if (!wasSent(session, seq)) return connection.close(CloseCode.INVALID_SEQUENCE);
    if (seq + 1 < session.positions.first()) return invalid(connection);
    registry.detach(session)?.close(CloseCode.UNKNOWN_ERROR);
    connect(session, connection);
    session.acknowledged = Math.max(session.acknowledged, seq);
    counts.resumed('resumed');
    void send(session, seq, () => {
      const dispatch = dispatchOf('RESUMED', 'null');
      session.tell({ position: dispatch, dispatch, xact_id: undefined });
    });
  }

  async function sessionOf(id: string, credential: Credential): Promise<Session | undefined> {
    const session = registry.get(id) ?? (await options.claim(id, credential));
    return session?.credential_id === credential.credential_id ? session : undefined;
  }

  function invalid(connection: Connection): void {
    counts.resumed('invalid');
    connection.invalidSession(false);
  }

  function connect(session: Session, connection: Connection): void {
    busy.delete(connection);
    registry.attach(session, connection);
    connection.accept();
  }

  /** What cannot be sent again ends the session: its client identifies anew. */
  async function send(session: Session, seq: number, finish?: () => void): Promise<void> {
    const { connection } = session;
    try {
      if (await pump(session, seq, options.readAgain, finish)) return;
      if (session.connection !== connection) return;
      registry.end(session);
      counts.resumed('invalid');
      connection?.invalidSession(false);
    } catch (error) {
      complain(error);
      if (session.connection === connection) registry.detach(session)?.close(CloseCode.UNKNOWN_ERROR);
    }
  }

  function end(session: Session, code: CloseCode): void {
    registry.end(session)?.close(code);
  }

  return {
    identify: (connection, asked) => start(connection, () => identify(connection, asked)),
    resume: (connection, asked) => start(connection, () => resume(connection, asked)),
    heartbeat: (connection, seq) => {
      const session = registry.of(connection);
      if (session === undefined || seq === null) return true;
      if (!wasSent(session, seq)) return false;
      session.acknowledged = Math.max(session.acknowledged, seq);
      return true;
    },
    ended: (connection, code) => {
      busy.delete(connection);
      const session = registry.of(connection);
      if (session === undefined) return;
      if (code === NORMAL || code === CloseCode.GOING_AWAY) registry.end(session);
      else registry.detach(session);
    },
    credentialEnded: (credential_id) => {
      ended.add(credential_id);
      for (const session of registry.ofCredential(credential_id))
        end(session, CloseCode.AUTHENTICATION_FAILED);
    },
    userUpdated: updates.updated,
    endAll: () => {
      for (const session of [...registry.all()]) end(session, CloseCode.UNKNOWN_ERROR);
      registry.dropHeld();
    },
    close: () => {
      stopSweep();
      updates.close();
    },
  };
}

/** READY is large, and a client that has not had it knows of no session: it is not kept. */
const READY_SEQ = 1;
/** What a client closes with that has no more use for its session. */
const NORMAL = 1000;

/** 0 is what a client says that has had nothing. */
function wasSent({ positions }: Session, seq: number): boolean {
  return seq >= 0 && seq <= positions.last();
}
