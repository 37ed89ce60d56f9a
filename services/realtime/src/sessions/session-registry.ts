import type { Connection } from '../connections/connection.ts';
import type { EventReceiver } from '../following/event-receiver.ts';
import type { World } from '../world/world.ts';
import type { Session } from './session.ts';

/** The sessions of this replica. Accounts leave the world with their last session, unless they are held. */
export class SessionRegistry {
  readonly #world: Pick<World<EventReceiver>, 'removeAccount'>;
  readonly #byId = new Map<string, Session>();
  readonly #byCredential = new Map<string, Set<Session>>();
  readonly #byAccount = new Map<string, Set<Session>>();
  readonly #byConnection = new Map<Connection, Session>();
  readonly #holds = new Map<string, number>();

  constructor(world: Pick<World<EventReceiver>, 'removeAccount'>) {
    this.#world = world;
  }

  add(session: Session): void {
    this.#byId.set(session.id, session);
    addTo(this.#byCredential, session.credential_id, session);
    addTo(this.#byAccount, session.account.id, session);
    session.account.sessions.add(session);
  }

  get(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  /** False once the session has ended. */
  has(session: Session): boolean {
    return this.#byId.get(session.id) === session;
  }

  ofConnection(connection: Connection): Session | undefined {
    return this.#byConnection.get(connection);
  }

  ofCredential(credential_id: string): readonly Session[] {
    return [...(this.#byCredential.get(credential_id) ?? [])];
  }

  ofAccount(account_id: string): readonly Session[] {
    return [...(this.#byAccount.get(account_id) ?? [])];
  }

  /** The number of an account's sessions that have a connection. */
  connectionsOf(account_id: string): number {
    return this.ofAccount(account_id).filter(({ connection }) => connection !== undefined).length;
  }

  all(): Iterable<Session> {
    return this.#byId.values();
  }

  count(): number {
    return this.#byId.size;
  }

  connected(): number {
    return this.#byConnection.size;
  }

  attach(session: Session, connection: Connection): void {
    session.connection = connection;
    this.#byConnection.set(connection, session);
  }

  /** Returns the connection that the session had. */
  detach(session: Session): Connection | undefined {
    const { connection } = session;
    if (connection === undefined) return undefined;
    this.#byConnection.delete(connection);
    session.connection = undefined;
    if (session.is_live) session.highest_sent = session.buffer.last();
    session.is_live = false;
    session.disconnectedAt_ms = performance.now();
    return connection;
  }

  /** Ends the session. Returns the connection that it had. */
  end(session: Session): Connection | undefined {
    const connection = this.detach(session);
    this.#byId.delete(session.id);
    removeFrom(this.#byCredential, session.credential_id, session);
    removeFrom(this.#byAccount, session.account.id, session);
    session.account.sessions.delete(session);
    session.buffer.forget(session.buffer.last());
    this.#removeIfUnused(session.account.id);
    return connection;
  }

  /** Keeps an account in the world without a session. Call the returned function to release it. */
  hold(account_id: string): () => void {
    this.#holds.set(account_id, (this.#holds.get(account_id) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(account_id);
      isHeld = false;
    };
  }

  /** Removes accounts from the world that are only held. */
  dropHeld(): void {
    for (const account_id of this.#holds.keys())
      if (!this.#byAccount.has(account_id)) this.#world.removeAccount(account_id);
  }

  #release(account_id: string): void {
    const left = (this.#holds.get(account_id) ?? 1) - 1;
    if (left > 0) this.#holds.set(account_id, left);
    else this.#holds.delete(account_id);
    this.#removeIfUnused(account_id);
  }

  #removeIfUnused(account_id: string): void {
    if (this.#holds.has(account_id) || this.#byAccount.has(account_id)) return;
    this.#world.removeAccount(account_id);
  }
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
