import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { CLOSE, OP } from '../support/codes.ts';
import type { Frame } from '../support/objects.ts';
import { causeFault, type FaultyConnection } from './connection-faults.ts';
import type { Random } from './random.ts';
import { type ReceivedStream, receivedStream } from './received-stream.ts';
import type { ReplicaProcess } from './replica-process.ts';
import { sessionLocations } from './session-locations.ts';
import { isResumable, openSocket, send } from './socket.ts';

/** A client that keeps its session over connections that fail, as libraries do. */
export interface Reader {
  readonly name: string;
  readonly account_id: string;
  readonly received: ReceivedStream;
  /** Protocol violations by the server. */
  readonly faults: readonly string[];
  readonly counts: Readonly<ReaderCounts>;
  /** Causes a random fault on its connection, if it has one. */
  causeFault(): void;
  /** Whether its connection has received READY or RESUMED. */
  isListening(): boolean;
  close(): Promise<void>;
}

export interface ReaderCounts {
  faults: number;
  resumed: number;
  identified: number;
  /** From the end of a connection to the next READY or RESUMED. */
  longest_gap_ms: number;
}

export interface ReaderOptions {
  readonly name: string;
  readonly account_id: string;
  readonly token: string;
  readonly replicas: readonly ReplicaProcess[];
  readonly random: Random;
}

interface Connection extends FaultyConnection {
  readonly replica: ReplicaProcess;
  /** Start of the connection attempt. */
  readonly opened_ms: number;
}

const HEARTBEAT_MS = 3_000;
/** The first faults cause further ones. */
const MOST_FAULTS = 5;
const SHOWN_HISTORY = 12;

export function openReader({ name, account_id, token, replicas, random }: ReaderOptions): Reader {
  const stream = receivedStream(account_id);
  const faults: string[] = [];
  const counts: ReaderCounts = { faults: 0, resumed: 0, identified: 0, longest_gap_ms: 0 };
  const where = sessionLocations(replicas);
  let session: { readonly id: string; seq: number } | undefined;
  let current: Connection | undefined;
  let isListening = false;
  let lostAt_ms = performance.now();
  let isClosed = false;

  function note(text: string): void {
    stream.segments.at(-1)?.history.push(`${Math.round(performance.now())} ms: ${text} (s ${session?.seq})`);
  }

  function fault(text: string): void {
    const history = stream.segments.at(-1)?.history.slice(-SHOWN_HISTORY) ?? [];
    if (faults.length < MOST_FAULTS) faults.push([`${name}: ${text}`, ...history].join('\n    '));
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      const replica = random.pick(replicas);
      const opened_ms = performance.now();
      const socket = await openSocket(replica.url);
      if (socket === undefined) await pause(random.between(20, 300));
      else if (isClosed) socket.terminate();
      else await live(socket, replica, opened_ms);
    }
  }

  /** Resolves once the reader has left the connection. */
  function live(socket: WebSocket, replica: ReplicaProcess, opened_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const beat = setInterval(() => send(socket, OP.HEARTBEAT, session?.seq ?? null), HEARTBEAT_MS);
      const leave = (why: string) => {
        if (current !== connection) return;
        current = undefined;
        clearInterval(beat);
        socket.removeAllListeners('message').removeAllListeners('close');
        if (isListening) lostAt_ms = performance.now();
        isListening = false;
        note(`left ${replica.name}: ${why}`);
        resolve();
      };
      const endSession = () => {
        session = undefined;
      };
      const connection: Connection = { socket, replica, opened_ms, leave, endSession };
      current = connection;
      socket.on('message', (data) => {
        try {
          hear(connection, JSON.parse(String(data)));
        } catch (error) {
          fault(error instanceof Error ? error.message : String(error));
        }
      });
      socket.on('close', (code) => {
        if (!isResumable(code)) fault(`${replica.name} closed with ${code}`);
        leave(`closed with ${code}`);
      });
      socket.resume();
    });
  }

  function hear(connection: Connection, { op, t, s, d }: Frame): void {
    switch (op) {
      case OP.HELLO:
        introduce(connection);
        return;
      case OP.DISPATCH:
        dispatch(connection, t ?? '', s ?? 0, d);
        return;
      case OP.INVALID_SESSION:
        forget(connection.replica, d);
        introduce(connection);
        return;
      case OP.RECONNECT:
        void goAway(connection);
        return;
      case OP.HEARTBEAT:
        send(connection.socket, OP.HEARTBEAT, session?.seq ?? null);
        return;
      case OP.ACK:
        return;
      default:
        throw new Error(`op ${op}`);
    }
  }

  function introduce({ socket, replica }: Connection): void {
    if (session === undefined) {
      send(socket, OP.IDENTIFY, { token, properties: {} });
      return;
    }
    note(`resumes at ${replica.name}`);
    where.resumeSent(replica);
    send(socket, OP.RESUME, { token, session_id: session.id, seq: session.seq });
  }

  function forget(replica: ReplicaProcess, isResumableStill: unknown): void {
    if (isResumableStill !== false) fault(`Invalid session says ${isResumableStill}`);
    note(`${replica.name} does not know the session`);
    if (session !== undefined && !where.mayBeLost()) fault(`${replica.name} does not know the session`);
    session = undefined;
  }

  /** Some readers reconnect soon, others wait for the close. */
  async function goAway({ socket, leave }: Connection): Promise<void> {
    if (random.chance(0.3)) return;
    await pause(random.below(1_000));
    leave('asked to go');
    socket.close(CLOSE.UNKNOWN_ERROR);
  }

  function dispatch({ replica, opened_ms }: Connection, t: string, s: number, d: unknown): void {
    if (t === 'READY' && session !== undefined) throw new Error('READY during a session');
    if (t === 'READY') session = { id: (d as { session_id: string }).session_id, seq: 0 }; // other tests assert its shape
    if (session === undefined) throw new Error(`${t} without a session`);
    if (s !== session.seq + 1) throw new Error(`${t} has s ${s} after ${session.seq}`);
    session.seq = s;
    where.receivedFrom(replica, opened_ms);
    stream.take(t, d, s);
    if (t === 'READY') began('identified', replica);
    if (t === 'RESUMED') began('resumed', replica);
  }

  function began(how: 'identified' | 'resumed', replica: ReplicaProcess): void {
    counts[how]++;
    counts.longest_gap_ms = Math.max(counts.longest_gap_ms, performance.now() - lostAt_ms);
    isListening = true;
    note(`${how} at ${replica.name}`);
  }

  const running = run();
  return {
    name,
    account_id,
    received: stream,
    faults,
    counts,
    causeFault: () => {
      if (current === undefined) return;
      counts.faults++;
      causeFault(current, random);
    },
    isListening: () => isListening,
    close: async () => {
      isClosed = true;
      const last = current;
      last?.leave('over');
      last?.socket.terminate();
      await running;
    },
  };
}
