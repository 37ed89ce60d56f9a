import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { CloseCode } from './connection.ts';
import { MAX_IDENTIFY_BYTES } from './frame.ts';
import { commonHeaders } from './refusal.ts';

/** No client splits a frame into more pieces. Each piece may hold memory of its own. */
const MAX_FRAGMENTS = 128;
const MAX_CHUNKS = 512;

/** ws's close codes for a message that is too long, in too many pieces, or cannot be inflated. */
const UNREADABLE: readonly (number | undefined)[] = [1007, 1008, 1009];

/**
 * Closes with the decode error's code when ws closes a connection that it cannot read. `reason` is absent then, and present
 * when ws answers a client's close frame.
 */
class GatewayWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    const unreadable = reason === undefined && UNREADABLE.includes(code);
    super.close(unreadable ? CloseCode.DECODE_ERROR : code, reason);
  }
}

/**
 * Makes WebSockets of upgrade requests. It does not listen itself.
 *
 * @param refuse answers a request that is no WebSocket handshake
 */
export function webSocketServer(
  deflate: boolean,
  refuse: (socket: Socket, request: IncomingMessage) => void,
): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    WebSocket: GatewayWebSocket,
    maxPayload: MAX_IDENTIFY_BYTES,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    // ws's own pongs would end a connection with 60 pings in one packet. Pings count as frames here.
    autoPong: false,
    // Frames are checked as a whole, so that invalid UTF-8 gets 4002.
    skipUTF8Validation: true,
    handleProtocols: () => false,
    perMessageDeflate: deflate && DEFLATE,
  });
  server.on('headers', (lines, request) => {
    for (const [name, value] of Object.entries(commonHeaders(request))) lines.push(`${name}: ${value}`);
  });
  server.on('wsClientError', (_error, socket, request) => {
    if (socket instanceof Socket) refuse(socket, request);
    else socket.destroy();
  });
  return server;
}

/**
 * Small compression windows for outgoing messages; no window outlives its message. The client's window is not
 * bounded: ws would refuse clients that do not offer that, such as browsers.
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
