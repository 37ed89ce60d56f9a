import { memberOf } from '../json/members.ts';
import { closeReason } from './close-reason.ts';
import { type Frame, frameText, Op, readFrame } from './frames.ts';
import { Heartbeat } from './heartbeat.ts';

export interface ConnectionEnd {
  /** The close code; undefined if the client left. */
  readonly code: number | undefined;
  /** For people. */
  readonly reason: string;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly hello_timeout_ms: number;
  /** The last `s`, for heartbeats. */
  readonly lastSeq: () => number | null;
  /** Called with every frame from Hello on, except heartbeats. */
  readonly onFrame: (frame: Frame, connection: GatewayConnection) => void;
  /** Ends the connection and its session. */
  readonly signal: AbortSignal;
}

/** The session survives a connection that closes with this code. */
const KEEP_SESSION = 4000;
const END_SESSION = 1000;
/** Time for the server's answer to a Close frame. */
const CLOSE_TIMEOUT_MS = 1_000;
const HEARTBEAT_BOUNDS_MS = { min: 10, max: 600_000 };

/** Connects to a Gateway and keeps the connection alive by heartbeats. Resolves when the connection has ended. */
export function runConnection(options: ConnectionOptions): Promise<ConnectionEnd> {
  return new GatewayConnection(options).ended;
}

/** A connection to a Gateway, with its heartbeats. */
export class GatewayConnection {
  readonly ended: Promise<ConnectionEnd>;
  readonly #options: ConnectionOptions;
  readonly #socket: WebSocket;
  readonly #heartbeat: Heartbeat;
  readonly #helloTimer: NodeJS.Timeout;
  readonly #resolveEnded: (end: ConnectionEnd) => void;
  #closeTimer: NodeJS.Timeout | undefined;
  #opened = false;
  #greeted = false;

  constructor(options: ConnectionOptions) {
    const { promise, resolve } = Promise.withResolvers<ConnectionEnd>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#options = options;
    this.#heartbeat = new Heartbeat(
      () => this.#beat(),
      () => this.leave('its heartbeats were not answered'),
    );
    this.#helloTimer = setTimeout(() => this.leave('it did not say Hello'), options.hello_timeout_ms);
    this.#socket = new WebSocket(withVersion(options.url));
    this.#socket.onopen = () => {
      this.#opened = true;
    };
    this.#socket.onmessage = ({ data }) => this.#receive(data);
    this.#socket.onclose = ({ code }) => this.#end({ code, reason: closeReason(code, this.#opened) });
    options.signal.addEventListener('abort', this.#quit, { once: true });
    if (options.signal.aborted) this.#quit();
  }

  send(op: number, d: unknown): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(frameText(op, d));
  }

  /** Leaves without waiting for the server, which may hang. The session can be resumed. */
  leave(reason: string): void {
    this.#end({ code: undefined, reason });
    this.#socket.close(KEEP_SESSION);
  }

  #receive(data: unknown): void {
    const frame = readFrame(data);
    if (frame === undefined) this.leave('it sent an invalid frame');
    else if (frame.op === Op.HELLO) this.#greet(frame);
    else if (!this.#greeted) this.leave('its first frame is not Hello');
    else if (frame.op === Op.HEARTBEAT) this.#beat();
    else if (frame.op === Op.HEARTBEAT_ACK) this.#heartbeat.acknowledge();
    else this.#options.onFrame(frame, this);
  }

  #greet(frame: Frame): void {
    if (this.#greeted) return;
    const interval_ms = memberOf(frame.d, 'heartbeat_interval');
    if (typeof interval_ms !== 'number') {
      this.leave('its Hello has no heartbeat_interval');
      return;
    }
    clearTimeout(this.#helloTimer);
    this.#greeted = true;
    const { min, max } = HEARTBEAT_BOUNDS_MS;
    this.#heartbeat.start(Math.min(Math.max(interval_ms, min), max));
    this.#options.onFrame(frame, this);
  }

  #beat(): void {
    this.send(Op.HEARTBEAT, this.#options.lastSeq());
  }

  readonly #quit = (): void => {
    this.#closeTimer = setTimeout(
      () => this.#end({ code: undefined, reason: 'it was closed' }),
      CLOSE_TIMEOUT_MS,
    );
    this.#socket.close(END_SESSION);
  };

  #end(end: ConnectionEnd): void {
    clearTimeout(this.#helloTimer);
    clearTimeout(this.#closeTimer);
    this.#heartbeat.stop();
    this.#options.signal.removeEventListener('abort', this.#quit);
    this.#socket.onmessage = null;
    this.#resolveEnded(end);
  }
}

function withVersion(text: string): URL {
  const url = new URL(text);
  url.searchParams.set('v', '1');
  url.searchParams.set('encoding', 'json');
  return url;
}
