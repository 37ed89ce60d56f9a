import type { FastifyInstance } from 'fastify';
import type { Overload } from './overload/overload.ts';
import { SERVICE_NAMES } from './service-definitions.ts';

const PROBE_TIMEOUT_MS = 1_000;
/** Probes within this time share one check, so that frequent probes cause few calls to the services. */
const CACHE_MS = 250;

/** Whether a request is a probe. Probes are answered ahead of all other requests. */
export function isHealthProbe(url: string): boolean {
  return PROBE.test(url);
}

const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;

/** The services that the edge passes requests on to. */
export const PROBED = [...SERVICE_NAMES, 'realtime'] as const;
type Probed = (typeof PROBED)[number];

/** The body of /readyz. */
export interface Readiness {
  readonly ready: boolean;
  readonly services: Readonly<Record<string, boolean>>;
  /** The bounds at which requests were refused in the last five seconds. */
  readonly shedding: readonly string[];
}

/**
 * Makes the readiness check: every service is SERVING (grpc.health.v1), realtime takes WebSockets, the heap has room
 * for requests, and the process is not draining. Probes of about the same time share one check of the services.
 */
export function readinessOf(
  services: Readonly<Record<Probed, { healthy(timeout_ms: number): Promise<boolean> }>>,
  overload: Overload,
  isDraining: () => boolean,
): () => Promise<Readiness> {
  let checking: Promise<Record<string, boolean>> | undefined;

  async function check(): Promise<Record<string, boolean>> {
    const states = PROBED.map(async (name) => [name, await services[name].healthy(PROBE_TIMEOUT_MS)]);
    return Object.fromEntries(await Promise.all(states)) as Record<string, boolean>;
  }

  return async () => {
    checking ??= check().finally(() => {
      setTimeout(() => {
        checking = undefined;
      }, CACHE_MS).unref();
    });
    const states = await checking;
    const ready = Object.values(states).every(Boolean) && !overload.shedsAll() && !isDraining();
    return { ready, services: states, shedding: overload.refusals.recent() };
  };
}

interface HealthOptions {
  readonly readiness: () => Promise<Readiness>;
}

/** /livez: 200 while this process answers. /readyz: 200 if this process should get requests, 503 otherwise. */
export function addHealth(app: FastifyInstance, { readiness }: HealthOptions): void {
  app.get('/livez', () => ({ live: true }));
  app.get('/readyz', async (_request, reply) => {
    const state = await readiness();
    return reply.code(state.ready ? 200 : 503).send(state);
  });
}
