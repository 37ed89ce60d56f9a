import { closeReason } from './close-reason.ts';
import { type Frame, frameText, Op, readFrame } from './frames.ts';
import { heartbeats } from './heartbeats.ts';
import { memberOf } from './members.ts';

/** How a connection ended. */
export interface Ended {
  /** The close code; undefined: the client left. */
  readonly code: number | undefined;
  /** In words, for people. */
  readonly why: string;
}

export interface Speaking {
  send(op: number, d: unknown): void;
  /** Leaves this connection; its session can still be resumed. */
  leave(why: string): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly hello_within_ms: number;
  /** The last `s`, for heartbeats. */
  readonly lastSeq: () => number | null;
  /** Frames from Hello on, without heartbeats. */
  readonly onFrame: (frame: Frame, speaking: Speaking) => void;
  /** Ends the connection and its session. */
  readonly signal: AbortSignal;
}

/** The client closes with this code where the session is to live on. */
const LEFT = 4000;
/** For the server's answer to a Close frame. */
const CLOSE_WITHIN_MS = 1_000;
const HEARTBEAT_BOUNDS_MS = { min: 10, max: 600_000 };

/** A connection to a Gateway, with its heartbeats, until it ends. */
export function runConnection(options: ConnectionOptions): Promise<Ended> {
  return new Promise((resolve) => {
    const socket = new WebSocket(withVersion(options.url));
    const heart = heartbeats(beat, () => leave('its heartbeats were not answered'));
    let greeted = false;
    let opened = false;
    let hung: NodeJS.Timeout | undefined;
    const late = setTimeout(() => leave('it did not say Hello'), options.hello_within_ms);

    socket.onmessage = ({ data }) => take(data);
    socket.onopen = () => {
      opened = true;
    };
    socket.onclose = ({ code }) => end({ code, why: closeReason(code, opened) });
    options.signal.addEventListener('abort', quit, { once: true });
    if (options.signal.aborted) quit();

    const speaking: Speaking = { send, leave };

    function take(data: unknown): void {
      const frame = readFrame(data);
      if (frame === undefined) leave('it sent what is no frame of a Gateway');
      else if (frame.op === Op.HELLO) greet(frame);
      else if (!greeted) leave('its first frame is not Hello');
      else if (frame.op === Op.HEARTBEAT) beat();
      else if (frame.op === Op.HEARTBEAT_ACK) heart.acknowledged();
      else options.onFrame(frame, speaking);
    }

    function greet(frame: Frame): void {
      const interval_ms = memberOf(frame.d, 'heartbeat_interval');
      if (greeted) return;
      if (typeof interval_ms !== 'number') {
        leave('its Hello names no heartbeat_interval');
        return;
      }
      clearTimeout(late);
      greeted = true;
      const { min, max } = HEARTBEAT_BOUNDS_MS;
      heart.start(Math.min(Math.max(interval_ms, min), max));
      options.onFrame(frame, speaking);
    }

    function beat(): void {
      send(Op.HEARTBEAT, options.lastSeq());
    }

    function send(op: number, d: unknown): void {
      if (socket.readyState === WebSocket.OPEN) socket.send(frameText(op, d));
    }

    /** Does not wait for the server, which may hang. */
    function leave(why: string): void {
      end({ code: undefined, why });
      socket.close(LEFT);
    }

    function quit(): void {
      hung = setTimeout(() => end({ code: undefined, why: 'it was closed' }), CLOSE_WITHIN_MS);
      socket.close(1000);
    }

    function end(ended: Ended): void {
      clearTimeout(late);
      clearTimeout(hung);
      heart.stop();
      options.signal.removeEventListener('abort', quit);
      socket.onmessage = null;
      resolve(ended);
    }
  });
}

function withVersion(text: string): URL {
  const url = new URL(text);
  url.searchParams.set('v', '1');
  url.searchParams.set('encoding', 'json');
  return url;
}
