import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';
import type { Overload } from './overload/overload.ts';
import { SERVICE_NAMES } from './service-definitions.ts';

const PROBE_TIMEOUT_MS = 1_000;

/** Whether a request is for one of the probes, which are answered whatever else waits. */
export function isHealthProbe(url: string): boolean {
  return PROBE.test(url);
}

const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;

interface HealthOptions {
  readonly connections: Connections;
  readonly overload: Overload;
}

/**
 * /livez: this process answers. /readyz: every service does, by its own word (grpc.health.v1), and this process
 * has room for requests; `shedding` names the bounds at which requests were refused within the last seconds.
 * Probes that come at once share one look.
 */
export function addHealth(app: FastifyInstance, { connections, overload }: HealthOptions): void {
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
    const ready = Object.values(services).every(Boolean) && !overload.shedsAll();
    return reply.code(ready ? 200 : 503).send({ ready, services, shedding: overload.refusals.recent() });
  });
}
