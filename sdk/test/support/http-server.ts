import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: Received, n: number) => void;

/** Starts a server that answers its nth request by the nth function, and all further ones by the last. */
export async function serve(...answers: readonly Answer[]) {
  const requests: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await text(incoming).catch(() => '') };
    const n = requests.push(request) - 1;
    answers[Math.min(n, answers.length - 1)]?.(response, request, n);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
}

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Cuts the connection off. */
export const cut: Answer = (response) => {
  response.destroy();
};

/** Never answers. */
export const silent: Answer = () => undefined;

export const raw = (status: number, contentType: string, body: string): Answer => {
  return (response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(body);
  };
};

/** A 429 of the API. */
export function denied(
  retry_after: number,
  headers: Readonly<Record<string, string>> = { 'x-ratelimit-bucket': 'b1' },
): Answer {
  const body = {
    error: '429 Too Many Requests',
    code: 'RATE_LIMITED',
    message: 'Slow down.',
    global: false,
    retry_after,
  };
  const scope = { 'retry-after': String(Math.ceil(retry_after)), 'x-ratelimit-scope': 'user' };
  return json(body, 429, { ...scope, ...headers });
}
