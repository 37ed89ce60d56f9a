import { isOutage } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import {
  CloseCode,
  type Connection,
  type Gateway,
  type Identify,
  type Resume,
} from '../connections/connection.ts';
import { dispatchOf } from '../connections/dispatch.ts';
import { isExhausted } from '../errors.ts';
import { recently } from '../recently.ts';
import type { Credential } from './credential.ts';
import { forgetTexts } from './forget-texts.ts';
import { type IdentifierOptions, identifier } from './identifier.ts';
import { type FetchEvents, replay } from './replay.ts';
import { type Session, wasSent } from './session.ts';
import { sweep } from './sweep.ts';
import { userUpdates } from './user-updates.ts';

/** A session that a client resumes, after the last `s` that it has had. */
export interface WantedSession {
  readonly session_id: string;
  readonly seq: number;
}

/**
 * Asks the other replicas for a session. Undefined: none of them has it, or its client must identify
 * anew. INVALID_SEQUENCE: it stays where it is.
 */
export type Claim = (
  wanted: WantedSession,
  credential: Credential,
) => Promise<Session | CloseCode | undefined>;

export interface SessionsOptions extends Omit<IdentifierOptions, 'updates' | 'hasEnded'> {
  /** Settles once all has been told that was committed when it was called. */
  readonly catchUpToHead: () => Promise<void>;
  readonly fetchEvents: FetchEvents;
  readonly claim: Claim;
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
  /** Resolves when all that clients have asked for so far is done, or has failed. */
  settled(): Promise<void>;
  close(): void;
}

/** Identify, Resume, and what becomes of a session (docs/gateway.md). */
export function sessions(options: SessionsOptions): Sessions {
  const { registry, bounds, counts, log } = options;
  const ended = recently(ENDED_KEPT_MS);
  const inTurn = concurrency({ at_once: bounds.max_identifies, max_waiting: bounds.max_connections });
  const updates = userUpdates(options);
  const makeSession = identifier({ ...options, updates, hasEnded: ended.has });
  const complain = throttledLog<unknown>((times, error) =>
    log.warn({ err: error, times }, 'clients cannot identify or resume'),
  );
  /** Connections whose Identify or Resume is under way. Aborted once the connection has ended. */
  const busy = new Map<Connection, AbortController>();
  const underWay = new Set<Promise<void>>();
  /** Those that have come and are not answered yet. */
  const resumes = new Set<Resume>();
  const resumed = () => new Set([...resumes].map(({ session_id }) => session_id));
  const stopSweep = sweep(registry, resumed, () => {
    forgetTexts(registry, options.keeping.texts, bounds.max_kept_bytes);
  });

  /** Runs an Identify or a Resume in its turn. What fails closes the connection: its client tries again. */
  function start(
    connection: Connection,
    work: (signal: AbortSignal) => Promise<void>,
    end?: () => void,
  ): void {
    const gone = new AbortController();
    busy.set(connection, gone);
    const done = inTurn(async () => {
      if (!gone.signal.aborted) await work(gone.signal);
    })
      .catch((error) => {
        if (gone.signal.aborted) return;
        if (isOutage(error) || isExhausted(error)) complain(error);
        else log.error({ err: error, connection: connection.id }, 'an Identify or Resume failed');
        counts.identified(isExhausted(error) ? 'refused' : 'failed');
        connection.close(CloseCode.UNKNOWN_ERROR);
      })
      .finally(() => {
        busy.delete(connection);
        underWay.delete(done);
        end?.();
      });
    underWay.add(done);
  }

  async function identify(connection: Connection, asked: Identify, signal: AbortSignal): Promise<void> {
    const made = await makeSession(asked, {
      signal,
      connect: (session) => connect(session, connection),
    });
    if (typeof made === 'number') {
      counts.identified('refused');
      connection.close(made);
    } else if (made !== undefined) {
      counts.identified('ready');
      void send(made, 0).then(() => made.positions.forget(READY_SEQ));
    }
  }

  async function resume(connection: Connection, { token, session_id, seq }: Resume): Promise<void> {
    const credential = await options.credentials.identify(token);
    if (!busy.has(connection)) return; // so that its session stays where it is
    const session = credential && (await sessionOf({ session_id, seq }, credential));
    if (typeof session === 'number') return connection.close(session);
    // What was committed before the Resume is told before RESUMED.
    if (session !== undefined)
      await Promise.all([options.catchUpToHead(), updates.reachNow(session.account.id)]);
    if (!busy.has(connection)) return;
    if (session === undefined || !registry.has(session)) return invalid(connection);
    // One that came here after its credential had ended was not among those that ended with it.
    if (ended.has(session.credential_id)) {
      registry.end(session);
      return invalid(connection);
    }
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

  /** The code to close with, where another replica has it and the Resume is wrong: it stays there. */
  async function sessionOf(
    wanted: WantedSession,
    credential: Credential,
  ): Promise<Session | CloseCode | undefined> {
    const find = () => registry.get(wanted.session_id);
    // Another Resume may have claimed it meanwhile.
    const session = find() ?? (await options.claim(wanted, credential)) ?? find();
    if (typeof session === 'number') return session;
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
      if (await replay(session, seq, options.fetchEvents, finish)) return;
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
    identify: (connection, asked) => start(connection, (signal) => identify(connection, asked, signal)),
    resume: (connection, asked) => {
      resumes.add(asked);
      start(
        connection,
        () => resume(connection, asked),
        () => resumes.delete(asked),
      );
    },
    heartbeat: (connection, seq) => {
      const session = registry.of(connection);
      if (session === undefined || seq === null) return true;
      if (!wasSent(session, seq)) return false;
      session.acknowledged = Math.max(session.acknowledged, seq);
      return true;
    },
    ended: (connection, code) => {
      busy.get(connection)?.abort();
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
    settled: async () => {
      await Promise.all(underWay);
    },
    close: () => {
      stopSweep();
      updates.close();
    },
  };
}

/** Longer than an Identify may take: one that is under way may be of a credential that has just ended. */
const ENDED_KEPT_MS = 60_000;
/** READY is large, and a client that has not had it knows of no session: it is not kept. */
const READY_SEQ = 1;
/** What a client closes with that has no more use for its session. */
const NORMAL = 1000;
