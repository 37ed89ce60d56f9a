import type { Socket } from 'node:net';
import * as ws from 'ws';
import type { EventSink } from '../../../services/realtime/src/connections/event-sink.ts';
import type { FlushQueue } from '../../../services/realtime/src/connections/flush-queue.ts';

export { deflatingSink } from '../../../services/realtime/src/connections/event-sink.ts';

interface Sender {
  send(data: Buffer, options: SendOptions): void;
}

interface SendOptions {
  readonly fin: boolean;
  readonly binary: boolean;
  readonly mask: boolean;
  readonly compress: boolean;
}

/** What a WebSocket's own send hands over to. The types of ws leave it out. */
const { Sender } = ws as unknown as { readonly Sender: new (socket: Socket) => Sender };
const OPTIONS = { fin: true, binary: false, mask: false, compress: false };

/** Each event as a message of its own, which ws makes a frame of and writes at once. */
export function plainSink(socket: Socket, _queue: FlushQueue, left: (by_bytes: number) => void): EventSink {
  const sender = new Sender(socket);
  return {
    flush: () => undefined,
    waitingBytes: () => socket.writableLength,
    send: (s, { rest }) => {
      const waited = socket.writableLength;
      sender.send(Buffer.concat([Buffer.from(`{"op":0,"s":${s}`), rest]), OPTIONS);
      const waits = socket.writableLength;
      if (waits > waited) left(waits - waited);
    },
  };
}
