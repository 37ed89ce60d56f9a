import type { FastifyInstance } from 'fastify';
import { type Connections, SERVICE_NAMES } from './services.ts';

const PROBE_TIMEOUT_MS = 1_000;

/**
 * /livez: this process answers. /readyz: every service does, by its own word (grpc.health.v1). Probes
 * that come at once share one look.
 */
export function addHealth(app: FastifyInstance, connections: Connections): void {
  let looking: Promise<Record<string, boolean>> | undefined;

  async function look(): Promise<Record<string, boolean>> {
    const states = SERVICE_NAMES.map(async (name) => [
      name,
      await connections[name].healthy(PROBE_TIMEOUT_MS),
    ]);
    return Object.fromEntries(await Promise.all(states)) as Record<string, boolean>;
  }

  app.get('/livez', () => ({ live: true }));
  app.get('/readyz', async (_request, reply) => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    const services = await looking;
    const ready = Object.values(services).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ ready, services });
  });
}
