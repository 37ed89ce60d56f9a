import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { CLOSE, OP } from '../support/codes.ts';
import type { Frame } from '../support/objects.ts';
import { causeFault, type FaultyConnection } from './connection-faults.ts';
import type { Random } from './random.ts';
import { type ReceivedStream, receivedStream } from './received-stream.ts';
import type { ReplicaProcess } from './replica-process.ts';
import { type SessionLocations, sessionLocations } from './session-locations.ts';
import { isResumable, openSocket, send } from './socket.ts';

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

/** A client that keeps its session over connections that fail, as libraries do. */
export class Reader {
  readonly name: string;
  readonly account_id: string;
  readonly received: ReceivedStream;
  /** Protocol violations by the server. */
  readonly faults: string[] = [];
  readonly counts: ReaderCounts = { faults: 0, resumed: 0, identified: 0, longest_gap_ms: 0 };
  readonly #token: string;
  readonly #replicas: readonly ReplicaProcess[];
  readonly #random: Random;
  readonly #locations: SessionLocations;
  readonly #running: Promise<void>;
  #session: { readonly id: string; seq: number } | undefined;
  #connection: Connection | undefined;
  #isListening = false;
  #lostAt_ms = performance.now();
  #isClosed = false;

  constructor({ name, account_id, token, replicas, random }: ReaderOptions) {
    this.name = name;
    this.account_id = account_id;
    this.received = receivedStream(account_id);
    this.#token = token;
    this.#replicas = replicas;
    this.#random = random;
    this.#locations = sessionLocations(replicas);
    this.#running = this.#run();
  }

  /** Whether its connection has received READY or RESUMED. */
  isListening(): boolean {
    return this.#isListening;
  }

  /** Causes a random fault on its connection, if it has one. */
  causeFault(): void {
    if (this.#connection === undefined) return;
    this.counts.faults++;
    causeFault(this.#connection, this.#random);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const last = this.#connection;
    last?.leave('over');
    last?.socket.terminate();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const replica = this.#random.pick(this.#replicas);
      const opened_ms = performance.now();
      const socket = await openSocket(replica.url);
      if (socket === undefined) await pause(this.#random.between(20, 300));
      else if (this.#isClosed) socket.terminate();
      else await this.#use(socket, replica, opened_ms);
    }
  }

  /** Resolves once the reader has left the connection. */
  #use(socket: WebSocket, replica: ReplicaProcess, opened_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const beat = setInterval(() => this.#sendHeartbeat(socket), HEARTBEAT_MS);
      const leave = (why: string) => {
        if (this.#connection !== connection) return;
        clearInterval(beat);
        this.#leave(connection, why);
        resolve();
      };
      const endSession = () => {
        this.#session = undefined;
      };
      const connection: Connection = { socket, replica, opened_ms, leave, endSession };
      this.#connection = connection;
      socket.on('message', (data) => this.#receive(connection, String(data)));
      socket.on('close', (code) => {
        if (!isResumable(code)) this.#fault(`${replica.name} closed with ${code}`);
        leave(`closed with ${code}`);
      });
      socket.resume();
    });
  }

  #leave({ socket, replica }: Connection, why: string): void {
    this.#connection = undefined;
    socket.removeAllListeners('message').removeAllListeners('close');
    if (this.#isListening) this.#lostAt_ms = performance.now();
    this.#isListening = false;
    this.#note(`left ${replica.name}: ${why}`);
  }

  #receive(connection: Connection, text: string): void {
    try {
      this.#handle(connection, JSON.parse(text));
    } catch (error) {
      this.#fault(error instanceof Error ? error.message : String(error));
    }
  }

  /** @throws Error for a protocol violation */
  #handle(connection: Connection, { op, t, s, d }: Frame): void {
    switch (op) {
      case OP.HELLO:
        this.#introduce(connection);
        return;
      case OP.DISPATCH:
        this.#dispatch(connection, t ?? '', s ?? 0, d);
        return;
      case OP.INVALID_SESSION:
        this.#forgetSession(connection.replica, d);
        this.#introduce(connection);
        return;
      case OP.RECONNECT:
        void this.#reconnect(connection);
        return;
      case OP.HEARTBEAT:
        this.#sendHeartbeat(connection.socket);
        return;
      case OP.ACK:
        return;
      default:
        throw new Error(`op ${op}`);
    }
  }

  #sendHeartbeat(socket: WebSocket): void {
    send(socket, OP.HEARTBEAT, this.#session?.seq ?? null);
  }

  /** Sends Identify, or Resume during a session. */
  #introduce({ socket, replica }: Connection): void {
    const token = this.#token;
    if (this.#session === undefined) {
      send(socket, OP.IDENTIFY, { token, properties: {} });
      return;
    }
    this.#note(`resumes at ${replica.name}`);
    this.#locations.resumeSent(replica);
    send(socket, OP.RESUME, { token, session_id: this.#session.id, seq: this.#session.seq });
  }

  #forgetSession({ name }: ReplicaProcess, isStillResumable: unknown): void {
    if (isStillResumable !== false) this.#fault(`Invalid session says ${isStillResumable}`);
    this.#note(`${name} does not know the session`);
    if (this.#session !== undefined && !this.#locations.mayBeLost())
      this.#fault(`${name} does not know the session`);
    this.#session = undefined;
  }

  /** Some readers reconnect soon, others wait for the close. */
  async #reconnect({ socket, leave }: Connection): Promise<void> {
    if (this.#random.chance(0.3)) return;
    await pause(this.#random.below(1_000));
    leave('asked to reconnect');
    socket.close(CLOSE.UNKNOWN_ERROR);
  }

  #dispatch({ replica, opened_ms }: Connection, t: string, s: number, d: unknown): void {
    if (t === 'READY' && this.#session !== undefined) throw new Error('READY during a session');
    if (t === 'READY') this.#session = { id: (d as { session_id: string }).session_id, seq: 0 }; // other tests assert its shape
    if (this.#session === undefined) throw new Error(`${t} without a session`);
    if (s !== this.#session.seq + 1) throw new Error(`${t} has s ${s} after ${this.#session.seq}`);
    this.#session.seq = s;
    this.#locations.receivedFrom(replica, opened_ms);
    this.received.take(t, d, s);
    if (t === 'READY') this.#began('identified', replica);
    if (t === 'RESUMED') this.#began('resumed', replica);
  }

  #began(how: 'identified' | 'resumed', { name }: ReplicaProcess): void {
    this.counts[how]++;
    this.counts.longest_gap_ms = Math.max(this.counts.longest_gap_ms, performance.now() - this.#lostAt_ms);
    this.#isListening = true;
    this.#note(`${how} at ${name}`);
  }

  #note(text: string): void {
    const entry = `${Math.round(performance.now())} ms: ${text} (s ${this.#session?.seq})`;
    this.received.segments.at(-1)?.history.push(entry);
  }

  #fault(text: string): void {
    const history = this.received.segments.at(-1)?.history.slice(-SHOWN_HISTORY) ?? [];
    if (this.faults.length < MOST_FAULTS)
      this.faults.push([`${this.name}: ${text}`, ...history].join('\n    '));
  }
}
