import type { FastifyInstance } from 'fastify';

/** Requests that are still under way after this are cut off: the process has 10 s to end. */
const DRAIN_WITHIN_MS = 8_000;
const SWEEP_EVERY_MS = 100;

/**
 * Makes the function that closes the server: it takes no new connections, lets requests under way end, and
 * closes each connection as it falls idle. Node alone closes those that are idle when it begins, and waits
 * for the others until they time out.
 */
export function appCloser(app: FastifyInstance): () => Promise<void> {
  return async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_EVERY_MS);
    const cutOff = setTimeout(() => app.server.closeAllConnections(), DRAIN_WITHIN_MS);
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
      clearTimeout(cutOff);
    }
  };
}
