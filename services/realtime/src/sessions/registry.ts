import type { Connection } from '../connections/connection.ts';
import type { EventReceiver } from '../following/event-receiver.ts';
import type { World } from '../world/world.ts';
import type { Session } from './session.ts';

/** The sessions of this replica. */
export interface Registry {
  add(session: Session): void;
  get(id: string): Session | undefined;
  /** Whether it is not over. */
  has(session: Session): boolean;
  of(connection: Connection): Session | undefined;
  ofCredential(credential_id: string): readonly Session[];
  ofAccount(account_id: string): readonly Session[];
  all(): Iterable<Session>;
  count(): number;
  connected(): number;
  /** The connection is the session's from now on. */
  attach(session: Session, connection: Connection): void;
  /** The session has no connection any more. Returns what it was. */
  detach(session: Session): Connection | undefined;
  /** The session is over. Returns the connection that it still had. */
  end(session: Session): Connection | undefined;
  /** Keeps an account in the world although it has no session. Returns how to let go of it. */
  hold(account_id: string): () => void;
  /** Accounts that are only held leave the world. */
  dropHeld(): void;
}

/** @param world accounts leave it with their last session */
export function registry(world: World<EventReceiver>): Registry {
  const byId = new Map<string, Session>();
  const byCredential = new Map<string, Set<Session>>();
  const byAccount = new Map<string, Set<Session>>();
  const byConnection = new Map<Connection, Session>();
  const holds = new Map<string, number>();

  function leave(account_id: string): void {
    if (holds.has(account_id) || byAccount.has(account_id)) return;
    world.removeAccount(account_id);
  }

  function detach(session: Session): Connection | undefined {
    const { connection } = session;
    if (connection === undefined) return undefined;
    byConnection.delete(connection);
    session.connection = undefined;
    if (session.is_live) session.most_sent = session.positions.last();
    session.is_live = false;
    session.disconnectedAt_ms = performance.now();
    return connection;
  }

  return {
    add: (session) => {
      byId.set(session.id, session);
      addTo(byCredential, session.credential_id, session);
      addTo(byAccount, session.account.id, session);
      session.account.sessions.add(session);
    },
    get: (id) => byId.get(id),
    has: (session) => byId.get(session.id) === session,
    of: (connection) => byConnection.get(connection),
    ofCredential: (id) => [...(byCredential.get(id) ?? [])],
    ofAccount: (id) => [...(byAccount.get(id) ?? [])],
    all: () => byId.values(),
    count: () => byId.size,
    connected: () => byConnection.size,
    attach: (session, connection) => {
      session.connection = connection;
      byConnection.set(connection, session);
    },
    detach,
    end: (session) => {
      const connection = detach(session);
      byId.delete(session.id);
      removeFrom(byCredential, session.credential_id, session);
      removeFrom(byAccount, session.account.id, session);
      session.account.sessions.delete(session);
      session.positions.forget(session.positions.last());
      leave(session.account.id);
      return connection;
    },
    hold: (account_id) => {
      holds.set(account_id, (holds.get(account_id) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (holds.get(account_id) ?? 1) - 1;
        if (left > 0) holds.set(account_id, left);
        else holds.delete(account_id);
        leave(account_id);
      };
    },
    dropHeld: () => {
      for (const account_id of holds.keys()) if (!byAccount.has(account_id)) world.removeAccount(account_id);
    },
  };
}

function addTo(map: Map<string, Set<Session>>, key: string, session: Session): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([session]));
  else set.add(session);
}

function removeFrom(map: Map<string, Set<Session>>, key: string, session: Session): void {
  const set = map.get(key);
  set?.delete(session);
  if (set?.size === 0) map.delete(key);
}
