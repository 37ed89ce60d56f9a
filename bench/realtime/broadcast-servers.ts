import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { Server as SocketIo } from 'socket.io';
import { WebSocketServer } from 'ws';

/**
 * Servers that broadcast frames to all their clients. `POST /` with one frame per line sends them; the response is the
 * time of the start, in milliseconds since 1970.
 */

/** The efficient way with ws: the frame is serialised once. */
export function bareWs(): Promise<string> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => socket.send('hello'));
  return serve(server, (frames) => {
    for (const frame of frames) {
      const bytes = Buffer.from(frame);
      for (const socket of sockets.clients) socket.send(bytes, { binary: false });
    }
  });
}

/** Without pings: the Gateway's clients send heartbeats instead, in the pauses. */
const PING_INTERVAL_MS = 3_600_000;

export function socketIo(): Promise<string> {
  const server = createServer();
  const io = new SocketIo(server, { transports: ['websocket'], pingInterval: PING_INTERVAL_MS });
  return serve(server, (frames) => {
    for (const frame of frames) io.emit('event', JSON.parse(frame));
  });
}

async function serve(server: Server, broadcast: (frames: readonly string[]) => void): Promise<string> {
  server.on('request', async (request: IncomingMessage, response) => {
    if (request.method !== 'POST') return; // Socket.IO's own
    const frames = (await text(request)).split('\n');
    const began_ms = performance.timeOrigin + performance.now();
    broadcast(frames);
    response.end(String(began_ms));
  });
  return new Promise((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => {
      const address = server.address();
      resolve(`127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });
  });
}
