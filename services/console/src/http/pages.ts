import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fault } from '../errors.ts';

/** Built by `npm run generate`. */
const PAGES = fileURLToPath(new URL('../../dist', import.meta.url));
/** Files with their hash in the name: they never change. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The pages: one document, whose script shows the page of the address. Anyone may read them; the data needs a session. */
export function registerPages(app: FastifyInstance, dir = PAGES): void {
  const is_built = existsSync(`${dir}/index.html`);
  if (is_built)
    app.register(fastifyStatic, {
      root: dir,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.header('cache-control', path.includes('/assets/') ? FOR_EVER : 'no-cache');
      },
    });
  app.setNotFoundHandler((request, reply) => {
    const is_page = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    if (!is_page || request.url.startsWith('/api/')) throw fault('NOT_FOUND');
    if (!is_built)
      return reply.code(503).type('text/plain').send('The console’s pages are not built: npm run generate\n');
    return reply.sendFile('index.html');
  });
}
