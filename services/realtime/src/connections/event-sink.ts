import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Dispatch } from './dispatch.ts';
import type { FlushQueue } from './flush-queue.ts';

/** Where a connection's events go. */
export interface EventSink {
  send(s: number, event: Dispatch): void;
  /** Hands over to the system what has gathered. */
  flush(): void;
}

/**
 * Writes frames to the socket. The event's bytes are written as they are: all who get it share them, also while they
 * wait. That is what ws does with a message, without its checks of what a message may be.
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

  return {
    flush,
    send: (s, { rest }) => {
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

function eventStart(s: number): string {
  return `{"op":0,"s":${s}`;
}
