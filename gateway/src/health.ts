import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';
import type { Overload } from './overload/overload.ts';
import { SERVICE_NAMES } from './service-definitions.ts';

const PROBE_TIMEOUT_MS = 1_000;

/** Whether a request is for one of the probes, which are answered ahead of all others. */
export function isHealthProbe(url: string): boolean {
  return PROBE.test(url);
}

const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;

interface HealthOptions {
  readonly connections: Connections;
  readonly overload: Overload;
}

/**
 * /livez: 200 while this process answers. /readyz: 200 when every service says SERVING (grpc.health.v1) and the heap
 * has room for requests; `shedding` names the bounds at which requests were refused in the last five seconds.
 * Simultaneous probes share one check.
 */
export function addHealth(app: FastifyInstance, { connections, overload }: HealthOptions): void {
  let checking: Promise<Record<string, boolean>> | undefined;

  async function check(): Promise<Record<string, boolean>> {
    const states = SERVICE_NAMES.map(async (name) => [
      name,
      await connections[name].healthy(PROBE_TIMEOUT_MS),
    ]);
    return Object.fromEntries(await Promise.all(states)) as Record<string, boolean>;
  }

  app.get('/livez', () => ({ live: true }));
  app.get('/readyz', async (_request, reply) => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    const services = await checking;
    const ready = Object.values(services).every(Boolean) && !overload.shedsAll();
    return reply.code(ready ? 200 : 503).send({ ready, services, shedding: overload.refusals.recent() });
  });
}
