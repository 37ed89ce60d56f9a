import { expect } from 'vitest';
import { OP } from './codes.ts';
import type { Connection } from './connection.ts';
import type { Dispatch, Ready } from './objects.ts';

/** A session on a connection. Reads its events since READY or the Resume from a position. */
export interface Session {
  readonly connection: Connection;
  readonly token: string;
  readonly session_id: string;
  /** READY of the session's Identify. */
  readonly ready: Ready;
  /** The `s` of the last Dispatch. */
  seq(): number;
  /** The events since the position. Does not move it. */
  fresh(): Dispatch[];
  /** Waits for an event after the position. Does not move it. */
  event<T>(t: string, fits?: (d: T) => boolean, within_ms?: number): Promise<T>;
  /** Waits for an event. Returns the events from the position up to it, and moves the position behind it. */
  before<T>(t: string, fits: (d: T) => boolean): Promise<Dispatch[]>;
}

/** Identifies on a new connection, and waits for READY. */
export async function identify(
  connection: Connection,
  token: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Session> {
  const from = connection.dispatches.length;
  connection.follow(0);
  connection.send({ op: OP.IDENTIFY, d: { token, properties: {}, ...more } });
  const first = await connection.until('READY', () => connection.dispatches[from]);
  expect([first.t, first.s]).toEqual(['READY', 1]);
  const ready = first.d as Ready; // tests assert its shape
  return sessionOn(connection, token, ready, from + 1);
}

/** The parts of a session that a Resume needs. */
export type Resumable = Pick<Session, 'token' | 'session_id' | 'ready'>;

/** Sends Resume. Returns the session, whose events include the replayed ones. */
export function sendResume(connection: Connection, session: Resumable, seq: number): Session {
  const from = connection.dispatches.length;
  connection.follow(seq);
  connection.send({ op: OP.RESUME, d: { token: session.token, session_id: session.session_id, seq } });
  return sessionOn(connection, session.token, session.ready, from);
}

function sessionOn(connection: Connection, token: string, ready: Ready, from: number): Session {
  const { dispatches, until } = connection;
  let position = from;
  const indexOf = <T>(t: string, fits: (d: T) => boolean): number | undefined => {
    const index = dispatches.findIndex((each, at) => at >= position && each.t === t && fits(each.d as T)); // the caller names the shape
    return index < 0 ? undefined : index;
  };
  return {
    connection,
    token,
    session_id: ready.session_id,
    ready,
    seq: () => dispatches.at(-1)?.s ?? 0,
    fresh: () => dispatches.slice(position),
    event: async <T>(t: string, fits: (d: T) => boolean = () => true, within_ms?: number) => {
      const index = await until(t, () => indexOf(t, fits), within_ms);
      return dispatches[index]?.d as T; // as above
    },
    before: async <T>(t: string, fits: (d: T) => boolean) => {
      const index = await until(t, () => indexOf(t, fits));
      const events = dispatches.slice(position, index);
      position = index + 1;
      return events;
    },
  };
}

/** Waits for RESUMED. Returns the replayed events. */
export async function replayedEvents(session: Session): Promise<Dispatch[]> {
  const events = await session.before('RESUMED', () => true);
  return events;
}
