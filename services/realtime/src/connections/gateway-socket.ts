import { WebSocket, WebSocketServer } from 'ws';
import { CloseCode } from './connection.ts';
import { MAX_IDENTIFY_BYTES } from './frame.ts';

/** A frame of this many pieces is no client's. Each may hold memory of its own. */
const MAX_FRAGMENTS = 128;
const MAX_CHUNKS = 512;

/** What ws closes with when a message is too long, is in too many pieces, or cannot be inflated. */
const UNREADABLE: readonly (number | undefined)[] = [1007, 1008, 1009];

/**
 * ws closes a connection by itself if it cannot read it. What the contract calls a decode error gets its code. `reason`
 * is absent then, and present when ws answers a client's close frame.
 */
class GatewaySocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    const unreadable = reason === undefined && UNREADABLE.includes(code);
    super.close(unreadable ? CloseCode.DECODE_ERROR : code, reason);
  }
}

/** Makes WebSockets of upgrade requests; it listens to nothing itself. */
export function gatewaySockets(deflate: boolean): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    WebSocket: GatewaySocket,
    maxPayload: MAX_IDENTIFY_BYTES,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    // Its own answers to pings would end a connection that has 60 of them in one packet. They count as frames here.
    autoPong: false,
    // Frames are checked as a whole, so that one that is no UTF-8 gets 4002.
    skipUTF8Validation: true,
    handleProtocols: () => false,
    perMessageDeflate: deflate && DEFLATE,
  });
}

/**
 * Small windows for what is sent; no window outlives its message. The client's own window is not bounded: ws would refuse
 * those that do not offer it, among them browsers.
 */
const DEFLATE = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  serverMaxWindowBits: 12,
  threshold: 512,
  concurrencyLimit: 4,
  zlibDeflateOptions: { level: 3, memLevel: 5, chunkSize: 4_096 },
  zlibInflateOptions: { chunkSize: 4_096 },
};
