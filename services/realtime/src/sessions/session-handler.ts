import { isOutage } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import {
  CloseCode,
  type Connection,
  type Identify,
  type RequestHandler,
  type Resume,
} from '../connections/connection.ts';
import { dispatchOf } from '../connections/dispatch.ts';
import { isExhausted } from '../errors.ts';
import { RecentIds } from '../recent-ids.ts';
import type { Credential } from './credentials.ts';
import { IdentifyHandler, type IdentifyHandlerOptions } from './identify-handler.ts';
import { limitKeptDispatches } from './limit-kept-dispatches.ts';
import { PendingRequests } from './pending-requests.ts';
import { type FetchEvents, replay } from './replay.ts';
import type { Session } from './session.ts';
import { sweep } from './sweep.ts';
import { UserUpdates } from './user-updates.ts';

/**
 * Claims a session from the other replicas. Undefined if none has it, or its client must identify again. INVALID_SEQUENCE if
 * the Resume is wrong: the session stays where it is.
 */
export type ClaimSession = (
  wanted: Pick<Resume, 'session_id' | 'seq'>,
  credential: Credential,
) => Promise<Session | CloseCode | undefined>;

export interface SessionHandlerOptions extends Omit<IdentifyHandlerOptions, 'updates' | 'hasEnded'> {
  /** Settles once all events committed before the call are delivered. */
  readonly catchUpToHead: () => Promise<void>;
  readonly fetchEvents: FetchEvents;
  readonly claimSession: ClaimSession;
  readonly counts: SessionCounts;
  readonly log: Logger;
}

export interface SessionCounts {
  identified(outcome: 'ready' | 'failed' | 'refused'): void;
  resumed(outcome: 'resumed' | 'invalid'): void;
}

/** Longer than an Identify may take: one that is pending may use a credential that has just ended. */
const ENDED_KEPT_MS = 60_000;
/** READY is large, and a client that has not received it knows no session to resume. */
const READY_SEQ = 1;
/** The close code of a client that gives up its session. */
const NORMAL = 1000;

/** Answers Identify and Resume, and ends sessions (docs/gateway.md). */
export class SessionHandler implements RequestHandler {
  readonly #options: SessionHandlerOptions;
  readonly #endedCredentials = new RecentIds(ENDED_KEPT_MS);
  readonly #pending: PendingRequests;
  readonly #resumes = new Set<Resume>();
  readonly #updates: UserUpdates;
  readonly #identifyHandler: IdentifyHandler;
  readonly #warn: (error: unknown) => void;
  readonly #stopSweep: () => void;

  constructor(options: SessionHandlerOptions) {
    const { registry, bounds, buffer, log } = options;
    this.#options = options;
    this.#warn = throttledLog<unknown>((times, error) =>
      log.warn({ err: error, times }, 'clients cannot identify or resume'),
    );
    this.#pending = new PendingRequests({
      at_once: bounds.max_identifies,
      max_waiting: bounds.max_connections,
      onFailure: (connection, error) => this.#onFailure(connection, error),
    });
    this.#updates = new UserUpdates(options);
    const hasEnded = (credential_id: string) => this.#endedCredentials.has(credential_id);
    this.#identifyHandler = new IdentifyHandler({ ...options, updates: this.#updates, hasEnded });
    const resuming = () => new Set([...this.#resumes].map(({ session_id }) => session_id));
    this.#stopSweep = sweep(registry, resuming, () =>
      limitKeptDispatches(registry, buffer.kept, bounds.max_kept_bytes),
    );
  }

  identify(connection: Connection, identify: Identify): void {
    void this.#pending.start(connection, (signal) => this.#identify(connection, identify, signal));
  }

  resume(connection: Connection, resume: Resume): void {
    this.#resumes.add(resume);
    void this.#pending
      .start(connection, () => this.#resume(connection, resume))
      .finally(() => this.#resumes.delete(resume));
  }

  heartbeat(connection: Connection, seq: number | null): boolean {
    const session = this.#options.registry.ofConnection(connection);
    if (session === undefined || seq === null) return true;
    if (!session.wasSent(seq)) return false;
    session.acknowledge(seq);
    return true;
  }

  ended(connection: Connection, code: number | undefined): void {
    const { registry } = this.#options;
    this.#pending.abort(connection);
    const session = registry.ofConnection(connection);
    if (session === undefined) return;
    if (code === NORMAL || code === CloseCode.GOING_AWAY) registry.end(session);
    else registry.detach(session);
  }

  credentialEnded(credential_id: string): void {
    this.#endedCredentials.add(credential_id);
    for (const session of this.#options.registry.ofCredential(credential_id))
      this.#end(session, CloseCode.AUTHENTICATION_FAILED);
  }

  userUpdated(account_id: string): void {
    this.#updates.changed(account_id);
  }

  /** Ends all sessions when events were lost. Their clients identify again. */
  endAll(): void {
    const { registry } = this.#options;
    for (const session of [...registry.all()]) this.#end(session, CloseCode.UNKNOWN_ERROR);
    registry.dropHeld();
  }

  /** Resolves when all pending requests are answered. */
  async settled(): Promise<void> {
    await this.#pending.settled();
  }

  close(): void {
    this.#stopSweep();
    this.#updates.close();
  }

  async #identify(connection: Connection, identify: Identify, signal: AbortSignal): Promise<void> {
    const outcome = await this.#identifyHandler.identify({
      identify,
      signal,
      connect: (session) => this.#connect(session, connection),
    });
    if (outcome === undefined) return;
    if (typeof outcome === 'number') {
      this.#options.counts.identified('refused');
      connection.close(outcome);
    } else {
      this.#options.counts.identified('ready');
      void this.#replay(outcome, 0).then(() => outcome.buffer.forget(READY_SEQ));
    }
  }

  async #resume(connection: Connection, { token, session_id, seq }: Resume): Promise<void> {
    const { credentials, catchUpToHead } = this.#options;
    const credential = await credentials.identify(token);
    if (!this.#pending.has(connection)) return; // disconnected: the session stays where it is
    const session = credential && (await this.#find({ session_id, seq }, credential));
    if (typeof session === 'number') return connection.close(session);
    // Events committed before the Resume come before RESUMED.
    if (session !== undefined)
      await Promise.all([catchUpToHead(), this.#updates.sendCurrent(session.account.id)]);
    if (!this.#pending.has(connection)) return;
    const outcome = session && this.#resumable(session, seq);
    if (outcome === undefined) this.#refuse(connection);
    else if (typeof outcome === 'number') connection.close(outcome);
    else this.#takeOver(outcome, connection, seq);
  }

  /** The session if it can be resumed after `seq`. A close code if `seq` is wrong; undefined if its client must identify again. */
  #resumable(session: Session, seq: number): Session | CloseCode | undefined {
    const { registry } = this.#options;
    if (!registry.has(session)) return undefined;
    // A session that was transferred here after its credential ended was not ended with the others.
    if (this.#endedCredentials.has(session.credential_id)) {
      registry.end(session);
      return undefined;
    }
    if (!session.wasSent(seq)) return CloseCode.INVALID_SEQUENCE;
    return seq + 1 < session.buffer.first() ? undefined : session;
  }

  #takeOver(session: Session, connection: Connection, seq: number): void {
    const { registry, counts } = this.#options;
    registry.detach(session)?.close(CloseCode.UNKNOWN_ERROR);
    this.#connect(session, connection);
    session.acknowledge(seq);
    counts.resumed('resumed');
    void this.#replay(session, seq, () => {
      const dispatch = dispatchOf('RESUMED', 'null');
      session.receive({ entry: dispatch, dispatch, xact_id: undefined });
    });
  }

  /** Finds the session here or at another replica; a close code if the Resume is wrong. */
  async #find(
    wanted: Pick<Resume, 'session_id' | 'seq'>,
    credential: Credential,
  ): Promise<Session | CloseCode | undefined> {
    const { registry, claimSession } = this.#options;
    const find = () => registry.get(wanted.session_id);
    // A concurrent Resume may have claimed the session meanwhile.
    const session = find() ?? (await claimSession(wanted, credential)) ?? find();
    if (typeof session === 'number') return session;
    return session?.credential_id === credential.credential_id ? session : undefined;
  }

  #refuse(connection: Connection): void {
    this.#options.counts.resumed('invalid');
    connection.invalidSession(false);
  }

  #connect(session: Session, connection: Connection): void {
    this.#pending.finish(connection);
    this.#options.registry.attach(session, connection);
    connection.accept();
  }

  /** Ends the session if an event cannot be replayed: its client identifies again. */
  async #replay(session: Session, seq: number, onCaughtUp?: () => void): Promise<void> {
    const { registry, fetchEvents } = this.#options;
    const { connection } = session;
    try {
      if (await replay(session, seq, fetchEvents, onCaughtUp)) return;
      if (connection === undefined || session.connection !== connection) return;
      registry.end(session);
      this.#refuse(connection);
    } catch (error) {
      this.#warn(error);
      if (session.connection === connection) registry.detach(session)?.close(CloseCode.UNKNOWN_ERROR);
    }
  }

  #end(session: Session, code: CloseCode): void {
    this.#options.registry.end(session)?.close(code);
  }

  #onFailure(connection: Connection, error: unknown): void {
    const { counts, log } = this.#options;
    if (isOutage(error) || isExhausted(error)) this.#warn(error);
    else log.error({ err: error, connection: connection.id }, 'an Identify or Resume failed');
    counts.identified(isExhausted(error) ? 'refused' : 'failed');
    connection.close(CloseCode.UNKNOWN_ERROR);
  }
}
