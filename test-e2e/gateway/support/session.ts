import { expect } from 'vitest';
import { OP } from './codes.ts';
import type { Connection } from './connection.ts';
import type { Dispatch, Ready } from './objects.ts';

/** A session on a connection: what was told after READY or since the Resume, read from a position that moves on. */
export interface Session {
  readonly connection: Connection;
  readonly token: string;
  readonly session_id: string;
  /** Of the session's Identify. */
  readonly ready: Ready;
  /** The `s` of the last Dispatch. */
  seq(): number;
  /** What came since the position, so far. The position stays. */
  fresh(): Dispatch[];
  /** Waits for an event that was not read. The position stays. */
  event<T>(t: string, fits?: (d: T) => boolean, within_ms?: number): Promise<T>;
  /** Waits for an event, gives those before it since the position, and sets the position behind it. */
  before<T>(t: string, fits: (d: T) => boolean): Promise<Dispatch[]>;
}

/** Identifies on a connection that has done nothing else, and waits for READY. */
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
  const ready = first.d as Ready; // tests hold its form
  return sessionOn(connection, token, ready, from + 1);
}

/** What a Resume needs to know of the session. */
export type Resumable = Pick<Session, 'token' | 'session_id' | 'ready'>;

/** Sends Resume, and gives the session's events from there on, with those that are told again. */
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

/** Waits until a Resume has told all that was missed, and gives it. */
export async function missed(session: Session): Promise<Dispatch[]> {
  const events = await session.before('RESUMED', () => true);
  return events;
}
