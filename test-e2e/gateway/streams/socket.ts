import { WebSocket } from 'ws';
import { CLOSE } from '../support/codes.ts';

const HANDSHAKE_MS = 10_000;
/** Ends after which the session goes on: of no close frame, of a server that goes, of any trouble. */
const RESUMABLE = new Set<number>([1001, 1006, CLOSE.UNKNOWN_ERROR]);

/** Opens a connection, which is read once somebody listens. Undefined: there is no replica, or it takes none. */
export function openSocket(url: string): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: HANDSHAKE_MS });
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
    socket.on('error', () => resolve(undefined)); // after the handshake, `close` tells it
  });
}

export function send(socket: WebSocket, op: number, d: unknown): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op, d }));
}

export function isResumable(code: number): boolean {
  return RESUMABLE.has(code);
}
