import { WebSocket } from 'ws';
import type { Closed, Dispatch, Frame } from './objects.ts';
import { recorder } from './recorder.ts';

/** A WebSocket to the Gateway that records everything it receives. */
export interface Connection {
  readonly frames: readonly Frame[];
  readonly dispatches: readonly Dispatch[];
  readonly faults: readonly string[];
  /** Headers of the handshake's response. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  send(frame: string | Uint8Array | object): void;
  /** The first frame with this opcode from `from` on. */
  frame(op: number, from?: number): Promise<Frame>;
  until<T>(what: string, find: () => T | undefined, within_ms?: number): Promise<T>;
  /** Resolves once the connection is closed, by either side. */
  closed(within_ms?: number): Promise<Closed>;
  readonly is_open: boolean;
  /** The close code and reason, if closed. */
  ended(): Closed | undefined;
  /** Sets the last `s`, which the next Dispatch must follow. */
  follow(s: number): void;
  /** Closes it with this code, and waits until it is closed. */
  close(code?: number, reason?: string): Promise<Closed>;
  /** Sends a ping, and waits for the pong. */
  ping(): Promise<void>;
  /** Breaks it, without a close frame. */
  break(): void;
  /** Stops reading. `resumeReading` continues. */
  pause(): void;
  resumeReading(): void;
}

export interface ConnectionOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Offer permessage-deflate. */
  readonly deflate?: boolean;
}

/** @throws Error if the handshake is refused */
export async function openConnection(url: string, options: ConnectionOptions = {}): Promise<Connection> {
  const { headers = {}, deflate = false } = options;
  const socket = new WebSocket(url, { headers, perMessageDeflate: deflate, maxPayload: 64 * 1024 * 1024 });
  const record = recorder();
  let answered: Connection['headers'] = {};
  socket.on('upgrade', (response) => {
    answered = response.headers;
  });
  // Frames may come with the handshake's answer.
  socket.on('message', (data, isBinary) => record.take(data as Buffer, isBinary)); // its binaryType is nodebuffer
  socket.on('close', (code, reason) => record.end({ code, reason: reason.toString() }));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined); // `close` follows

  return {
    frames: record.frames,
    dispatches: record.dispatches,
    faults: record.faults,
    headers: answered,
    send: (frame) =>
      socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame)),
    frame: (op, from = 0) =>
      record.until(`a frame with op ${op}`, () => record.frames.slice(from).find((each) => each.op === op)),
    until: record.until,
    closed: (within_ms) => record.until('the end of the connection', () => record.closed, within_ms),
    get is_open() {
      return record.closed === undefined;
    },
    ended: () => record.closed,
    follow: record.follow,
    close: (code = 1000, reason = '') => {
      socket.close(code, reason);
      return record.until('the end of the connection', () => record.closed);
    },
    ping: () =>
      new Promise((resolve) => {
        socket.once('pong', () => resolve());
        socket.ping();
      }),
    break: () => socket.terminate(),
    pause: () => socket.pause(),
    resumeReading: () => socket.resume(),
  };
}
