import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@gatehouse/dev-env/until';

/** The callback server of an application on this machine: browsers return to it from the consent page. */
export interface CallbackServer {
  readonly redirect_uri: string;
  /** The query of the next callback. */
  next(): Promise<URLSearchParams>;
  /** Number of callbacks so far. */
  readonly count: number;
  close(): Promise<void>;
}

const PAGE =
  '<!doctype html><html lang="en"><head><title>Back</title><link rel="icon" href="/icon"></head><h1>Back</h1></html>';

export async function serveCallback(): Promise<CallbackServer> {
  const came: URLSearchParams[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/callback') came.push(url.searchParams);
    response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    redirect_uri: `http://127.0.0.1:${port}/callback?own=1`,
    next: async () => {
      const query = await until('a callback', 30_000, () => came[taken]);
      taken += 1;
      return query;
    },
    get count() {
      return came.length;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
