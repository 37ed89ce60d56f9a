import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A fake edge: it answers /readyz and records its requests. */
export interface RecordingEdge {
  readonly address: string;
  ready: boolean;
  /** Status of every response except /readyz; 200 unless set. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** The requests received in full, as "VERB /path". */
  readonly seen: string[];
  /** The headers of the last request. */
  headers(): IncomingMessage['headers'];
  /** The number of open WebSockets. */
  webSockets(): number;
  /** Stops at once and closes all connections. */
  close(): Promise<void>;
}

export const respondOk = (_: IncomingMessage, response: ServerResponse): void => {
  // Each request uses a new connection, so that none meets one that is being closed.
  response.writeHead(200, { connection: 'close' }).end('well');
};
/** As if the edge died during the request. */
export const dropConnection = (request: IncomingMessage): void => {
  request.socket.destroy();
};
export const neverRespond = (): void => undefined;

export async function startRecordingEdge(): Promise<RecordingEdge> {
  const seen: string[] = [];
  const webSockets = new Set<Duplex>();
  let last: IncomingMessage['headers'] = {};
  const edge: RecordingEdge = {
    address: '',
    ready: true,
    answer: respondOk,
    seen,
    headers: () => last,
    webSockets: () => webSockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    if (request.url === '/readyz') {
      response.writeHead(edge.ready ? 200 : 503).end();
      return;
    }
    request.resume().once('end', () => {
      seen.push(`${request.method} ${request.url}`);
      last = request.headers;
      edge.answer(request, response);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    seen.push(`UPGRADE ${request.url}`);
    last = request.headers;
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
    webSockets.add(socket);
    socket.once('close', () => webSockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(edge, { address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
}
