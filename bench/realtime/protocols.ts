/** The protocols of the servers: handshake, keep-alive, and detection of events. */
export interface Protocol {
  /** The path of the upgrade request. */
  readonly path: string;
  /** The reply to a text frame before the client is ready, or `ready`. */
  greet(text: string, token: string): string | 'ready' | undefined;
  isEvent(bytes: Buffer, start: number): boolean;
  /** Sent periodically to keep the connection alive. */
  readonly heartbeat: string | undefined;
}

export type ProtocolName = 'gateway' | 'ws' | 'socket.io';

const ZERO = 0x30;
const TWO = 0x32;
const FOUR = 0x34;
const COMMA = 0x2c;

export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  gateway: {
    path: '/gateway?v=1&encoding=json',
    greet: (text, token) => {
      if (text.startsWith('{"op":10')) return JSON.stringify({ op: 2, d: { token } });
      return text.startsWith('{"op":0,"s":1,"t":"READY"') ? 'ready' : undefined;
    },
    isEvent: isDispatch,
    heartbeat: JSON.stringify({ op: 1, d: null }),
  },
  /** The bare server sends the Gateway's frames, after a greeting. */
  ws: {
    path: '/',
    greet: () => 'ready',
    isEvent: isDispatch,
    heartbeat: undefined,
  },
  /** Engine.IO packets that contain Socket.IO packets: `0` opens, `40` connects, `42` is an event. */
  'socket.io': {
    path: '/socket.io/?EIO=4&transport=websocket',
    greet: (text) => (text.startsWith('0') ? '40' : text.startsWith('40') ? 'ready' : undefined),
    isEvent: (bytes, start) => bytes[start] === FOUR && bytes[start + 1] === TWO,
    heartbeat: undefined,
  },
};

/** `{"op":0,` */
function isDispatch(bytes: Buffer, start: number): boolean {
  return bytes[start + 6] === ZERO && bytes[start + 7] === COMMA;
}
