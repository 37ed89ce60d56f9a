import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RecordedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  /** Parsed; undefined without one. */
  readonly body: unknown;
}

export interface Answer {
  readonly status?: number;
  /** JSON, or text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP server that records requests, for the mechanics of a client. */
export interface RecordingServer {
  readonly url: string;
  readonly requests: RecordedRequest[];
  close(): Promise<void>;
}

/** @param answer the answer to a request; undefined: none, the request hangs */
export async function recordingServer(
  answer: (request: RecordedRequest) => Answer | undefined,
): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    const { method, url: path, headers } = incoming;
    const request = {
      method,
      path,
      authorization: headers.authorization,
      body: body === '' ? undefined : JSON.parse(body),
    };
    requests.push(request);
    const given = answer(request);
    if (given === undefined) return;
    outgoing.writeHead(given.status ?? 200, given.headers);
    outgoing.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
