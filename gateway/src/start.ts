import type { Running } from '@gatehouse/kit/lifecycle';
import type { Logger } from '@gatehouse/kit/log';
import { valueMetrics } from '@gatehouse/kit/metrics/value-metrics';
import { ipGroup, peerAddress } from '@gatehouse/kit/net/client-ip';
import type { Runtime } from '@gatehouse/kit/process/runtime';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { monotonicClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { RateLimitsClient } from '@gatehouse/ratelimit-client/rate-limits-client';
import { KitTransport, type RateLimits } from '@gatehouse/ratelimit-kit-client';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { checkBuckets } from './check-buckets.ts';
import type { Config } from './config.ts';
import { connectServices, type ServiceConnections } from './connections.ts';
import { readinessOf } from './health.ts';
import { type ClientAddress, clientAddress } from './http/client-address.ts';
import { browserCookie } from './http/sign-in-cookie.ts';
import { InvalidRequests } from './limit/invalid-requests.ts';
import { limitMetrics } from './limit/metrics.ts';
import { errorDocs } from './log/error-docs.ts';
import { requestDurations } from './log/request-durations.ts';
import { requestTraces } from './log/request-trace.ts';
import { LongJson } from './long-json/long-json.ts';
import { withinDescriptors } from './overload/bounds.ts';
import { overloadMetrics } from './overload/metrics.ts';
import { type Overload, overloadManager } from './overload/overload.ts';
import { RefusedDeliveries } from './refusals/refused-deliveries.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { RealtimeReplicas } from './tunnel/realtime-replicas.ts';
import { Tunnels } from './tunnel/tunnels.ts';
import { ApplicationUsage } from './usage/application-usage.ts';

export interface Overrides extends ProcessOverrides {
  readonly routes?: readonly Route[];
}

/**
 * Maximum connections that wait to be accepted. Above it the kernel drops a client's SYN, and the client sends another after
 * a second. Linux allows at most net.core.somaxconn.
 */
const BACKLOG = 4_096;
/** Open requests are cut off after this time: the process must end within 10 s. */
const DRAIN_TIMEOUT_MS = 8_000;
const CLOSE_IDLE_EVERY_MS = 100;

/** Starts the edge: connects to the services, compares its buckets with those of ratelimit, and listens. */
export async function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'gateway', config, ...overrides }, async (runtime) => {
    const { log, registry, resources, hasMetrics, tracer } = runtime;
    const services = connectServices(config.addresses, runtime);
    const limits = await openLimits(config, services.ratelimit, log);
    resources.add('limits', () => limits.close());
    const long_json = new LongJson();
    resources.add('long bodies', () => long_json.close());
    const ipOf = clientAddress(config.trusted_proxies, log);
    const overload = openOverload(config, runtime, ipOf);
    resources.add('overload manager', () => overload.close());
    const invalid_requests = new InvalidRequests({
      limit: config.invalid_request_limit,
      replicas: config.gateway_replicas,
      now_us: monotonicClock,
      onRefused: () => overload.refusals.count('invalid_requests'),
    });
    const refused_deliveries = new RefusedDeliveries({ webhook_delivery: services.webhook_delivery, log });
    resources.add('refused deliveries', () => refused_deliveries.close());
    const usage = new ApplicationUsage({ oauth2: services.oauth2, log });
    resources.add('usage of applications', () => usage.close());
    const replicas = new RealtimeReplicas(config.realtime_address);
    const { trusted_proxies, web_dir } = config;
    const docsOf = errorDocs(config.web_app_url);
    const tunnels = new Tunnels({ replicas, trusted_proxies, ipOf, overload, invalid_requests, log, docsOf });
    if (hasMetrics) {
      limitMetrics(registry, limits);
      overloadMetrics(registry, overload);
      edgeMetrics(registry, { refused_deliveries, usage, tunnels });
    }

    const connections = { ...services, limits, long_json };
    const readiness = readinessOf({ ...connections, realtime: replicas }, overload, runtime.isDraining);
    runtime.setReady(async () => (await readiness()).ready);
    const app = buildApp(overrides.routes ?? ROUTES, {
      connections,
      overload,
      invalid_requests,
      refused_deliveries,
      usage,
      tunnels,
      ipOf,
      oauth2_errors: config.oauth2_errors,
      cookie: browserCookie(config.web_app_url),
      web_dir,
      branding: config.branding,
      dev_mail_dir: config.dev_mail_dir,
      status_page: config.status_page,
      log,
      docsOf,
      readiness,
      isDraining: runtime.isDraining,
      trace: tracer && config.traces && requestTraces({ tracer, sampling: config.traces, trusted_proxies }),
      durations: hasMetrics ? requestDurations(registry) : undefined,
    });
    resources.add('http', () => close(app, tunnels));
    const url = new URL(await app.listen({ host: config.host, port: config.port, backlog: BACKLOG }));
    return url.host;
  });
}

function edgeMetrics(
  registry: Runtime['registry'],
  counted: { refused_deliveries: RefusedDeliveries; usage: ApplicationUsage; tunnels: Tunnels },
): void {
  const metrics = valueMetrics(registry);
  metrics.counter(
    'gateway_refused_deliveries_lost_total',
    'Refused executions of webhooks that were not reported to webhook-delivery.',
    () => counted.refused_deliveries.lost(),
  );
  metrics.counter(
    'gateway_usage_lost_total',
    'Requests of applications whose counts were not reported to oauth2.',
    () => counted.usage.lost(),
  );
  metrics.gauge('gateway_tunnels', 'Open WebSockets of clients.', () => counted.tunnels.count());
}

/** @throws Error if the buckets of ratelimit are not those of this edge */
async function openLimits(
  config: Config,
  ratelimit: ServiceConnections['ratelimit'],
  log: Logger,
): Promise<RateLimits> {
  return new RateLimitsClient(new KitTransport(ratelimit), {
    served: await checkBuckets(ratelimit, log),
    replicas: config.gateway_replicas,
    enforced: config.rate_limits,
    log,
    timeout_ms: config.ratelimit_timeout_ms,
  });
}

function openOverload(config: Config, { connectionLimits, log }: Runtime, ipOf: ClientAddress): Overload {
  const bounds = withinDescriptors(config.bounds, connectionLimits.all);
  if (bounds.max_connections < config.bounds.max_connections)
    log.warn(
      { connections: bounds.max_connections },
      'file descriptors allow fewer connections than are set',
    );
  return overloadManager({
    bounds,
    groupOfPeer: peerAddress(config.trusted_proxies),
    groupOfClient: (request) => ipGroup(ipOf(request)),
    log,
  });
}

/**
 * Takes no new connections, lets requests under way end, and closes each connection when it becomes idle. Node closes
 * only the connections that are idle at the beginning, and waits for the others until they time out. Tunnels stay open:
 * realtime closes them.
 */
async function close(app: FastifyInstance, tunnels: Tunnels): Promise<void> {
  const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const cutOff = setTimeout(() => {
    app.server.closeAllConnections();
    tunnels.destroyAll();
  }, DRAIN_TIMEOUT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(closing);
    clearTimeout(cutOff);
  }
}
