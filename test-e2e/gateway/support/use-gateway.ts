import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { freshAddress } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { OP } from './codes.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import type { Closed } from './objects.ts';
import { identify, type Resumable, replayedEvents, type Session, sendResume } from './session.ts';

/** Connections to a stack's Gateway. They close with their test, or with the file if a hook opened them. */
export interface Gateway {
  /** The Gateway's URL, without a query. */
  readonly url: string;
  /** Opens a connection from a new address (unless the headers have one), and waits for Hello. */
  connect(query?: string, options?: ConnectionOptions): Promise<Connection>;
  /** Opens a connection that the server closes at once. Returns the close code. */
  connectRefused(query: string): Promise<Closed>;
  /** Opens a connection, identifies, and waits for READY. */
  identify(token: string, more?: Readonly<Record<string, unknown>>): Promise<Session>;
  /** Opens a connection, resumes, and waits for RESUMED. Returns the session and the missed events. */
  resume(session: Resumable, seq: number): Promise<Resumed>;
}

export interface Resumed {
  readonly session: Session;
  readonly missed: Awaited<ReturnType<typeof replayedEvents>>;
}

export const QUERY = '?v=1&encoding=json';

/** Every malformed or out-of-sequence frame fails its test. */
export function useGateway(stack: TestStack): Gateway {
  const standing = new Set<Connection>();
  const ofTest = new Set<Connection>();
  let inTest = false;

  beforeEach(() => {
    inTest = true;
  });
  afterEach(() => {
    inTest = false;
    const faults = [...standing, ...ofTest].flatMap((each) => each.faults);
    endAll(ofTest);
    expect(faults).toEqual([]);
  });
  afterAll(() => endAll(standing));

  const url = () => `${stack.url.replace(/^http/, 'ws')}/gateway`;

  async function open(query: string, options: ConnectionOptions = {}): Promise<Connection> {
    const headers = { 'x-forwarded-for': freshAddress(), ...options.headers };
    const connection = await openConnection(url() + query, { ...options, headers });
    (inTest ? ofTest : standing).add(connection);
    if (!inTest) beat(connection);
    return connection;
  }

  async function connect(query = QUERY, options: ConnectionOptions = {}): Promise<Connection> {
    const connection = await open(query, options);
    await connection.until('the first frame', () => connection.frames[0]);
    return connection;
  }

  return {
    get url() {
      return url();
    },
    connect,
    connectRefused: async (query) => (await open(query)).closed(),
    identify: async (token, more) => identify(await connect(), token, more),
    resume: async (resumable, seq) => {
      const session = sendResume(await connect(), resumable, seq);
      return { session, missed: await replayedEvents(session) };
    },
  };
}

/** Sends Heartbeats on connections that outlive a test (docs/gateway.md#heartbeat). */
function beat(connection: Connection): void {
  const timer = setInterval(() => {
    if (connection.is_open) connection.send({ op: OP.HEARTBEAT, d: null });
    else clearInterval(timer);
  }, 20_000);
  timer.unref();
}

function endAll(connections: Set<Connection>): void {
  for (const connection of connections) connection.break();
  connections.clear();
}

/** Waits for Invalid Session. Returns its `d`: whether the session can be resumed. */
export async function invalidSession(connection: Connection): Promise<unknown> {
  return (await connection.frame(OP.INVALID_SESSION)).d;
}
