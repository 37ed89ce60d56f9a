import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Frame } from '../objects.ts';
import { CLOSE, OP } from '../op.ts';
import { type Heard, heard } from './heard.ts';
import type { Random } from './random.ts';
import type { ReplicaProcess } from './replica-process.ts';
import { type Whereabouts, whereabouts } from './whereabouts.ts';

/** A client that keeps a session as a library does, whatever becomes of its connections. */
export interface Reader {
  readonly name: string;
  readonly account_id: string;
  readonly heard: Heard;
  /** What a server must not do. */
  readonly faults: readonly string[];
  readonly counts: ReaderCounts;
  /** Hurts the connection in some way, if there is one. */
  hurt(): void;
  /** The last READY or RESUMED has come, and the connection stands. */
  isListening(): boolean;
  close(): Promise<void>;
}

export interface ReaderCounts {
  hurts: number;
  resumed: number;
  anew: number;
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

const HEARTBEAT_MS = 3_000;
const HANDSHAKE_MS = 10_000;
/** Ends after which the session goes on: of no close frame, of a server that goes, of any trouble. */
const RESUMABLE = new Set<number>([1001, 1006, CLOSE.UNKNOWN_ERROR]);

export function openReader({ name, account_id, token, replicas, random }: ReaderOptions): Reader {
  const stream = heard(account_id);
  const faults: string[] = [];
  const counts: ReaderCounts = { hurts: 0, resumed: 0, anew: 0, longest_gap_ms: 0 };
  const where: Whereabouts = whereabouts(replicas);
  let session: { id: string; seq: number } | undefined;
  let current: Connected | undefined;
  let isListening = false;
  let lostAt_ms = performance.now();
  let isClosed = false;

  const note = (text: string): void => {
    stream.segments.at(-1)?.history.push(`${Math.round(performance.now())} ms: ${text} (s ${session?.seq})`);
  };

  async function run(): Promise<void> {
    while (!isClosed) {
      const replica = random.pick(replicas);
      const socket = await open(replica.url);
      if (socket === undefined) await pause(random.between(20, 300));
      else await live({ socket, replica });
    }
  }

  /** Resolves when the connection is of no use any more. */
  function live(connected: Connected): Promise<void> {
    const { socket, replica } = connected;
    current = connected;
    return new Promise((resolve) => {
      const beat = setInterval(() => send(socket, OP.HEARTBEAT, session?.seq ?? null), HEARTBEAT_MS);
      connected.leave = (why) => {
        clearInterval(beat);
        socket.removeAllListeners('message').removeAllListeners('close');
        if (current !== connected) return;
        current = undefined;
        if (isListening) lostAt_ms = performance.now();
        isListening = false;
        note(`left ${replica.name}: ${why}`);
        resolve();
      };
      socket.on('message', (data) => {
        try {
          hear(connected, JSON.parse(String(data)));
        } catch (error) {
          faults.push(`${name}: ${error instanceof Error ? error.message : error}`);
        }
      });
      socket.on('close', (code) => {
        if (!RESUMABLE.has(code)) faults.push(`${name}: ${replica.name} closed with ${code}${history()}`);
        connected.leave?.(`closed with ${code}`);
      });
      socket.resume();
    });
  }

  function hear(connected: Connected, { op, t, s, d }: Frame): void {
    const { socket, replica } = connected;
    switch (op) {
      case OP.HELLO:
        introduce(connected);
        return;
      case OP.DISPATCH:
        dispatch(replica, t ?? '', s ?? 0, d);
        return;
      case OP.INVALID_SESSION:
        if (d !== false) throw new Error(`Invalid session says ${d}`);
        if (session !== undefined && !where.mayBeLost())
          faults.push(`${name}: ${replica.name} does not know the session${history()}`);
        note(`${replica.name} does not know the session`);
        session = undefined;
        introduce(connected);
        return;
      case OP.RECONNECT:
        // Some go at once, some wait until they are sent away.
        if (random.chance(0.7))
          void pause(random.below(1_000)).then(() => {
            socket.close(CLOSE.UNKNOWN_ERROR);
            connected.leave?.('asked to go');
          });
        return;
      case OP.HEARTBEAT:
        send(socket, OP.HEARTBEAT, session?.seq ?? null);
        return;
      case OP.ACK:
        return;
      default:
        throw new Error(`op ${op}`);
    }
  }

  function introduce({ socket, replica }: Connected): void {
    if (session === undefined) {
      send(socket, OP.IDENTIFY, { token, properties: {} });
      return;
    }
    note(`resumes at ${replica.name}`);
    where.asked(replica);
    send(socket, OP.RESUME, { token, session_id: session.id, seq: session.seq });
  }

  function dispatch(replica: ReplicaProcess, t: string, s: number, d: unknown): void {
    if (t === 'READY') {
      if (session !== undefined) throw new Error(`READY in the midst of a session${history()}`);
      counts.anew++;
      session = { id: (d as { session_id: string }).session_id, seq: 0 }; // tests elsewhere hold its form
    }
    if (session === undefined) throw new Error(`${t} without a session`);
    if (s !== session.seq + 1) throw new Error(`${t} has s ${s} after ${session.seq}${history()}`);
    session.seq = s;
    where.heardFrom(replica);
    stream.take(t, s, d);
    if (t !== 'READY' && t !== 'RESUMED') return;
    if (t === 'RESUMED') counts.resumed++;
    note(`${t} at ${replica.name}`);
    isListening = true;
    counts.longest_gap_ms = Math.max(counts.longest_gap_ms, performance.now() - lostAt_ms);
  }

  function history(): string {
    return `\n  ${stream.segments.at(-1)?.history.slice(-12).join('\n  ')}`;
  }

  const hurts: readonly ((connected: Connected) => void)[] = [
    function breakIt({ socket, leave }) {
      leave?.('broken');
      socket.terminate();
    },
    function closeIt({ socket, leave }) {
      leave?.('closed');
      socket.close(CLOSE.UNKNOWN_ERROR);
    },
    function readNoMore({ socket, leave }) {
      socket.pause();
      void pause(random.below(2_500)).then(() => {
        leave?.('not read');
        socket.terminate();
      });
    },
    function readLate({ socket }) {
      socket.pause();
      void pause(random.below(2_000)).then(() => socket.resume());
    },
    /** The connection hangs, and another takes over. */
    function abandon({ socket, leave }) {
      leave?.('abandoned');
      void pause(random.below(3_000)).then(() => socket.terminate());
    },
    function endSession({ socket, leave }) {
      if (random.chance(0.7)) return;
      leave?.('ended');
      socket.close(1000);
      session = undefined;
    },
  ];

  const running = run();
  return {
    name,
    account_id,
    heard: stream,
    faults,
    counts,
    hurt: () => {
      if (current === undefined) return;
      counts.hurts++;
      random.pick(hurts)(current);
    },
    isListening: () => isListening,
    close: async () => {
      isClosed = true;
      const last = current;
      last?.leave?.('over');
      last?.socket.terminate();
      await running;
    },
  };
}

interface Connected {
  readonly socket: WebSocket;
  readonly replica: ReplicaProcess;
  /** What comes over it is not heard any more. */
  leave?: (why: string) => void;
}

/** Undefined: there is no replica, or it takes no connections. */
function open(url: string): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: HANDSHAKE_MS });
    socket.once('open', () => {
      socket.pause(); // until somebody listens
      resolve(socket);
    });
    socket.on('error', () => resolve(undefined)); // after the handshake, `close` tells it
  });
}

function send(socket: WebSocket, op: number, d: unknown): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op, d }));
}
