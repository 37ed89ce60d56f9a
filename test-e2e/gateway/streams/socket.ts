import { WebSocket } from 'ws';
import { CLOSE } from '../support/codes.ts';

const HANDSHAKE_MS = 10_000;
/** Close codes after which the session can be resumed: server going away, no close frame, unknown error. */
const RESUMABLE = new Set<number>([1001, 1006, CLOSE.UNKNOWN_ERROR]);

/** Opens a paused connection. Undefined if the replica is down or refuses it. */
export function openSocket(url: string): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: HANDSHAKE_MS });
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
    socket.on('error', () => resolve(undefined)); // after the handshake, `close` follows
  });
}

export function send(socket: WebSocket, op: number, d: unknown): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op, d }));
}

export function isResumable(code: number): boolean {
  return RESUMABLE.has(code);
}
