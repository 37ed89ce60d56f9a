import type { Socket } from 'node:net';

/** What a client sends before its upgrade is answered. */
export interface EarlyBytes {
  /** Calls now, and whenever there is more, with how many bytes there are. */
  onCount(counted: (bytes: number) => void): void;
  /** Gives all of it. Later bytes stay in the socket. */
  take(): Buffer;
}

/** A WebSocket's client waits for the answer (RFC 6455 §4.1), so there is hardly any. */
const MAX_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Reads what a client sends before the answer, so that it can be counted: left unread, each socket could fill its
 * buffers. A client that sends more than 64 KiB is cut off.
 */
export function earlyBytes(client: Socket, first: Buffer): EarlyBytes {
  let bytes = first;
  let counted: (bytes: number) => void = () => undefined;
  const read = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length > MAX_BYTES) client.destroy();
    counted(bytes.length);
  };
  client.on('data', read);
  return {
    onCount: (call) => {
      counted = call;
      counted(bytes.length);
    },
    take: () => {
      client.off('data', read).pause();
      const taken = bytes;
      bytes = NOTHING;
      return taken;
    },
  };
}
