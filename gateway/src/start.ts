import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { metricsServer } from '@gatehouse/kit/metrics';
import { openCertificates } from '@gatehouse/kit/rpc';
import { monotonicClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { Registry } from 'prom-client';
import { buildApp } from './app.ts';
import { appCloser } from './app-closer.ts';
import { checkBuckets } from './check-buckets.ts';
import { peerAddress } from './client-ip.ts';
import type { Config } from './config.ts';
import { invalidRequests } from './limit/invalid-requests.ts';
import { edgeLimits } from './limit/limits.ts';
import { limitMetrics } from './limit/metrics.ts';
import { longJson } from './long-json/long-json.ts';
import { overloadMetrics } from './overload/metrics.ts';
import { overloadManager } from './overload/overload.ts';
import type { Row } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { connectServices } from './services.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly rows?: readonly Row[];
}

/**
 * Connections that are made and not yet taken. Beyond it the system drops a client's first packet, which then comes
 * again after a second. Linux takes no more than net.core.somaxconn.
 */
const BACKLOG = 4_096;

/** Starts the edge: connects to the services, holds its limits against ratelimit's, and listens. */
export async function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'gateway', level: config.log_level });
  return opening(log, async (resources) => {
    const { rpc_transport: transport, rpc_tls: files } = config;
    const certificates = files && openCertificates({ files, name: 'gateway', log });
    resources.add('certificates', () => certificates?.close());
    const services = connectServices(config.addresses, { transport, certificates, log });
    for (const service of Object.values(services)) resources.add('connection', () => service.close());
    const limits = edgeLimits({
      client: services.ratelimit.client,
      served: await checkBuckets(services.ratelimit, log),
      replicas: config.gateway_replicas,
      enforced: config.rate_limits,
      now_us: monotonicClock,
      log,
    });
    resources.add('limits', () => limits.close());
    const long_json = longJson();
    resources.add('long bodies', () => long_json.close());
    const { bounds, trusted_proxies } = config;
    const overload = overloadManager({ bounds, addressOf: peerAddress(trusted_proxies), log });
    resources.add('overload manager', () => overload.close());
    const invalid_requests = invalidRequests({
      limit: config.invalid_request_limit,
      replicas: config.gateway_replicas,
      now_us: monotonicClock,
      onRefused: () => overload.refusals.count('invalid_requests'),
    });
    if (config.metrics_listen !== undefined) {
      const registry = Registry.merge([limitMetrics(limits), overloadMetrics(overload)]);
      const metrics = await metricsServer(config.metrics_listen, registry);
      resources.add('metrics', () => metrics.close());
    }

    const connections = { ...services, limits, long_json };
    const options = { connections, overload, invalid_requests, trusted_proxies, log };
    const app = buildApp(overrides.rows ?? ROUTES, options);
    resources.add('http', appCloser(app));
    const url = new URL(await app.listen({ host: config.host, port: config.port, backlog: BACKLOG }));
    return { address: url.host, close: () => resources.close() };
  });
}
