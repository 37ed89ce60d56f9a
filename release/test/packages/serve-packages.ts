import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const IMPORTS = {
  '@gatehouse/sdk': '/@gatehouse/sdk/dist/index.js',
  'openapi-fetch': '/openapi-fetch/dist/index.mjs',
};
const PAGE = `<!doctype html><link rel="icon" href="data:,"><title>SDK</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

/** A site of its own origin, whose page can import the packages that a project has installed, without a bundler. */
export async function servePackages(
  folder: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('js') !== true) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      return;
    }
    const script = readFileSync(join(folder, 'node_modules', new URL(request.url, 'http://x').pathname));
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
