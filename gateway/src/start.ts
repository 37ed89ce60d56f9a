import { monotonicClock } from '@gatehouse/kit/leaky-bucket/clock';
import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { metricsServer } from '@gatehouse/kit/metrics';
import { openCertificates } from '@gatehouse/kit/rpc';
import { buildApp } from './app.ts';
import { appCloser } from './app-closer.ts';
import { checkBuckets } from './check-buckets.ts';
import type { Config } from './config.ts';
import { edgeLimits } from './limit/limits.ts';
import { limitMetrics } from './limit/metrics.ts';
import type { Row } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { connectServices } from './services.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly rows?: readonly Row[];
}

/** Starts the edge: connects to the services, holds its limits against ratelimit's, and listens. */
export async function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'gateway', level: config.log_level });
  return opening(log, async (parts) => {
    const { rpc_transport: transport, rpc_tls: files } = config;
    const certificates = files && openCertificates({ files, name: 'gateway', log });
    parts.add('certificates', () => certificates?.close());
    const services = connectServices(config.addresses, { transport, certificates, log });
    for (const service of Object.values(services)) parts.add('connection', () => service.close());
    const limits = edgeLimits({
      client: services.ratelimit.client,
      served: await checkBuckets(services.ratelimit, log),
      replicas: config.gateway_replicas,
      enforced: config.rate_limits,
      now_us: monotonicClock,
      log,
    });
    parts.add('limits', () => limits.close());
    if (config.metrics_listen !== undefined) {
      const metrics = await metricsServer(config.metrics_listen, limitMetrics(limits));
      parts.add('metrics', () => metrics.close());
    }

    const connections = { ...services, limits };
    const { trusted_proxies } = config;
    const app = buildApp(overrides.rows ?? ROUTES, { connections, trusted_proxies, log });
    parts.add('http', appCloser(app));
    const url = new URL(await app.listen({ host: config.host, port: config.port }));
    return { address: url.host, close: () => parts.close() };
  });
}
