import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Dispatch } from './dispatch.ts';
import type { FlushQueue } from './flush-queue.ts';

/** Where a connection's events go. */
export interface EventSink {
  send(s: number, event: Dispatch): void;
  /** Hands over to the system what has gathered. */
  flush(): void;
  waitingBytes(): number;
}

/**
 * Writes frames to the socket: that is what ws does with a message, without its checks of what a message may be. Events of
 * one turn are written together, and their bytes are as they are: all who get one share them, also while they wait. A short
 * event that is alone in its turn is copied for each, which takes one visit of the connection instead of two.
 * @param left Is told how many bytes more wait after a flush than before its first frame
 */
export function plainSink(socket: Socket, queue: FlushQueue, left: (by_bytes: number) => void): EventSink {
  let corked = false;
  let before = 0;

  function flush(): void {
    if (!corked) return;
    corked = false;
    socket.uncork();
    const waits = socket.writableLength;
    if (waits > before) left(waits - before);
  }

  /** In one piece, at once: the connection need not be visited again. */
  function sendAlone(s: number, restLatin1: string): void {
    const waited = socket.writableLength;
    socket.write(frameStartText(s, restLatin1.length) + restLatin1, 'latin1');
    const waits = socket.writableLength;
    if (waits > waited) left(waits - waited);
  }

  return {
    flush,
    waitingBytes: () => socket.writableLength,
    send: (s, { rest, rest_latin1 }) => {
      if (rest_latin1 !== undefined && !corked) {
        sendAlone(s, rest_latin1);
        return;
      }
      if (!corked) {
        corked = true;
        before = socket.writableLength;
        socket.cork();
        queue.add(flush);
      }
      socket.write(frameStart(s, rest.length));
      socket.write(rest);
      queue.frame();
    },
  };
}

/** Through ws, which compresses each frame for itself. */
export function deflatingSink(ws: WebSocket): EventSink {
  return {
    flush: () => undefined,
    waitingBytes: () => ws.bufferedAmount,
    send: (s, { rest }) => ws.send(Buffer.concat([Buffer.from(eventStart(s)), rest]), { binary: false }),
  };
}

const FINAL_TEXT = 0x81;

/** The head of a text frame (RFC 6455 §5.2) and the event up to `s`. */
function frameStart(s: number, restBytes: number): Buffer {
  const text = eventStart(s);
  const length = text.length + restBytes;
  const headBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const start = Buffer.allocUnsafe(headBytes + text.length);
  start[0] = FINAL_TEXT;
  if (headBytes === 2) start[1] = length;
  else if (headBytes === 4) {
    start[1] = 126;
    start.writeUInt16BE(length, 2);
  } else {
    start[1] = 127;
    start.writeBigUInt64BE(BigInt(length), 2);
  }
  start.write(text, headBytes, 'latin1');
  return start;
}

/** The same, a character for each byte. */
function frameStartText(s: number, restBytes: number): string {
  const text = eventStart(s);
  const length = text.length + restBytes;
  if (length < 126) return String.fromCharCode(FINAL_TEXT, length) + text;
  return String.fromCharCode(FINAL_TEXT, 126, length >> 8, length & 255) + text;
}

function eventStart(s: number): string {
  return `{"op":0,"s":${s}`;
}
