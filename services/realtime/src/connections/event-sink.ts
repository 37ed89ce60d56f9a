import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Dispatch } from './dispatch.ts';
import type { FlushQueue } from './flush-queue.ts';
import { eventStart, textFrameStart, textFrameStartLatin1 } from './text-frame.ts';

/** Sends a connection's events. */
export interface EventSink {
  send(s: number, event: Dispatch): void;
  /** Hands the gathered frames to the operating system. */
  flush(): void;
  waitingBytes(): number;
}

/**
 * Writes frames straight to the socket, as ws does, but without its message checks. The events of one turn are written
 * together, and all receivers share their bytes, also while the bytes wait. A short event that is alone in its turn is
 * copied for each receiver, so that the connection is visited once instead of twice.
 */
export class PlainSink implements EventSink {
  readonly #socket: Socket;
  readonly #queue: FlushQueue;
  readonly #onGrowth: (by_bytes: number) => void;
  readonly #flush = () => this.flush();
  #isCorked = false;
  #waitedBefore = 0;

  /** @param onGrowth called after a flush, with the increase of the waiting bytes since before its first frame */
  constructor(socket: Socket, queue: FlushQueue, onGrowth: (by_bytes: number) => void) {
    this.#socket = socket;
    this.#queue = queue;
    this.#onGrowth = onGrowth;
  }

  send(s: number, { rest, rest_latin1 }: Dispatch): void {
    if (rest_latin1 !== undefined && !this.#isCorked) {
      this.#sendAlone(s, rest_latin1);
      return;
    }
    if (!this.#isCorked) this.#cork();
    this.#socket.write(textFrameStart(s, rest.length));
    this.#socket.write(rest);
    this.#queue.countFrame();
  }

  flush(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#socket.uncork();
    this.#reportGrowth(this.#waitedBefore);
  }

  waitingBytes(): number {
    return this.#socket.writableLength;
  }

  #cork(): void {
    this.#isCorked = true;
    this.#waitedBefore = this.#socket.writableLength;
    this.#socket.cork();
    this.#queue.add(this.#flush);
  }

  #sendAlone(s: number, restLatin1: string): void {
    const waitedBefore = this.#socket.writableLength;
    this.#socket.write(textFrameStartLatin1(s, restLatin1.length) + restLatin1, 'latin1');
    this.#reportGrowth(waitedBefore);
  }

  #reportGrowth(waitedBefore: number): void {
    const waiting = this.#socket.writableLength;
    if (waiting > waitedBefore) this.#onGrowth(waiting - waitedBefore);
  }
}

/** Sends through ws, which compresses each frame. */
export function deflatingSink(ws: WebSocket): EventSink {
  return {
    flush: () => undefined,
    waitingBytes: () => ws.bufferedAmount,
    send: (s, { rest }) => ws.send(Buffer.concat([Buffer.from(eventStart(s)), rest]), { binary: false }),
  };
}
