import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ReceivedSpan, readSpans } from './otlp-spans.ts';

/** An OTLP receiver over HTTP with protobuf, which records the received spans. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Headers of the received requests. */
  readonly headers: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

export interface OtlpReceiverOptions {
  /** Answers all requests, in place of 200. Their spans are dropped. */
  readonly answer?: (response: ServerResponse) => void;
}

export async function startOtlpReceiver({ answer }: OtlpReceiverOptions = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    void bodyOf(request).then((body) => {
      if (answer !== undefined) {
        answer(response);
        return;
      }
      const isTraces = request.url === '/v1/traces' && request.method === 'POST';
      if (isTraces) spans.push(...readSpans(body));
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
