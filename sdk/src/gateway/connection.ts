import { OP } from '../generated/gateway.ts';
import { type Frame, memberOf, readFrame } from './frame.ts';
import type { GatewaySocket } from './socket.ts';
import type { GatewayTiming } from './timing.ts';

/** How a connection ended. Only the server's close has a code. */
export interface ConnectionEnd {
  readonly why: string;
  readonly code?: number;
  /** The events wait for their consumer: the connection did not fail. */
  readonly isSlowConsumer?: boolean;
}

export interface ConnectionOptions {
  readonly timing: GatewayTiming;
  /** The last `s`, for Heartbeats. */
  readonly lastSeq: () => number | null;
  readonly onHello: () => void;
  /** An event, Reconnect or Invalid session. */
  readonly onFrame: (frame: Frame, characters: number) => void;
  /** Called once. No other call follows. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** A private close code: any but 1000 and 1001 leaves the session resumable. */
const KEEP_SESSION = 4000;
const END_SESSION = 1000;
const MAX_INTERVAL_MS = 3_600_000;

/** One WebSocket of a session: sends Heartbeats, and ends when the server is silent. */
export class GatewayConnection {
  readonly #socket: GatewaySocket;
  readonly #options: ConnectionOptions;
  #isOver = false;
  #isPaused = false;
  #isAcknowledged = true;
  #deadline: ReturnType<typeof setTimeout>;
  #heartbeat: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: GatewaySocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#deadline = this.#endAfter(options.timing.connectWithinMs, 'no Hello in time');
    socket.addEventListener('message', ({ data }) => this.#onMessage(data));
    socket.addEventListener('error', () => undefined); // `close` follows
    socket.addEventListener('close', ({ code }) => this.#onEnd({ why: `closed with ${code}`, code }));
  }

  send(op: number, d: unknown): void {
    if (!this.#isOver) this.#socket.send(JSON.stringify({ op, d }));
  }

  /** Expects an event, or Invalid session. */
  expectAnswer(): void {
    clearTimeout(this.#deadline);
    this.#deadline = this.#endAfter(this.#options.timing.answerWithinMs, 'no answer in time');
  }

  gotAnswer(): void {
    clearTimeout(this.#deadline);
  }

  /** Stops reading; false where the WebSocket cannot. */
  pause(): boolean {
    if (this.#socket.pause === undefined) return false;
    if (!this.#isPaused) this.#socket.pause();
    this.#isPaused = true;
    return true;
  }

  resumeReading(): void {
    if (!this.#isPaused || this.#isOver) return;
    this.#isPaused = false;
    this.#isAcknowledged = true; // no acknowledgement was read meanwhile
    this.#socket.resume?.();
  }

  /** Closes the connection. The session can be resumed. */
  end(end: ConnectionEnd): void {
    this.#close(KEEP_SESSION);
    this.#onEnd(end);
  }

  /** Closes the connection and its session. */
  endSession(): void {
    this.#close(END_SESSION);
    this.#onEnd({ why: 'the client closed it' });
  }

  #close(code: number): void {
    if (this.#isOver) return;
    if (this.#isPaused) this.#socket.resume?.(); // to read the server's close frame
    this.#socket.close(code);
  }

  #onEnd(end: ConnectionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#heartbeat);
    this.#options.onEnd(end);
  }

  #onMessage(data: unknown): void {
    if (this.#isOver) return;
    const frame = readFrame(data);
    switch (frame?.op) {
      case undefined:
        this.end({ why: 'a malformed frame' });
        break;
      case OP.HELLO:
        this.#onHello(frame?.d);
        break;
      case OP.HEARTBEAT:
        this.send(OP.HEARTBEAT, this.#options.lastSeq());
        break;
      case OP.HEARTBEAT_ACK:
        this.#isAcknowledged = true;
        break;
      default:
        if (frame !== undefined) this.#options.onFrame(frame, String(data).length);
    }
  }

  #onHello(d: unknown): void {
    const interval = memberOf(d, 'heartbeat_interval');
    if (typeof interval !== 'number' || !(interval > 0 && interval <= MAX_INTERVAL_MS)) {
      this.end({ why: 'a malformed Hello' });
      return;
    }
    this.expectAnswer();
    this.#beatAfter(interval * Math.random(), interval);
    this.#options.onHello();
  }

  /** A connection without an acknowledgement of the last Heartbeat is lost. */
  #beatAfter(ms: number, interval: number): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      if (this.#isAcknowledged || this.#isPaused) this.#beat(interval);
      else this.#lose('no acknowledgement of a Heartbeat');
    }, ms);
  }

  #beat(interval: number): void {
    this.#isAcknowledged = false;
    this.send(OP.HEARTBEAT, this.#options.lastSeq());
    this.#beatAfter(interval, interval);
  }

  #endAfter(ms: number, why: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#lose(why), ms);
  }

  /** The server may never answer a close frame. */
  #lose(why: string): void {
    this.end({ why });
    this.#socket.terminate?.();
  }
}
