import { Form } from '@gatehouse/kit/form';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyOf } from '../body.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { findRequest } from '../logs/find-request.ts';
import { type RecentRequests, recentRequests } from '../logs/recent-requests.ts';
import { gatewayOf } from '../overview/current-values.ts';
import { EventStream } from '../overview/event-stream.ts';
import { longOverview, recentOverview } from '../overview/overview.ts';
import { isLongWindow } from '../overview/prometheus.ts';
import { authenticator } from './authenticate.ts';
import { readParameter } from './query.ts';
import { operatorOf } from './signed-in.ts';

const HOUR = '1h';
const MAX_WINDOW = 8;
/** A search of the logs reads up to 64 MiB. */
const SEARCHES = { at_once: 2, max_waiting: 32 };
/** As the edge takes them. */
const REQUEST_ID = /^[\x20-\x7e]{1,128}$/;
const NO_LOGS =
  'No log was searched: CONSOLE_LOG_DIR is not set (docs/operators.md#the-log-lines-of-a-request).';

/** What runs, how it goes, and the log lines of a request. */
export function registerOverview(app: FastifyInstance, deps: Deps): void {
  const { overview, listJobs } = deps;
  registerStream(app, deps);
  app.get('/api/overview', async (request) => {
    const window = readWindow(request);
    await overview.collector.look();
    if (window === HOUR) return recentOverview(overview);
    if (!isLongWindow(window)) throw badRequest('window must be 1h, 6h, 1d or 7d.');
    if (overview.prometheus === undefined)
      throw badRequest('Windows of more than an hour need Prometheus: set PROMETHEUS_URL.');
    return longOverview(overview, overview.prometheus, window);
  });
  app.get('/api/gateway', async () => {
    await overview.collector.look();
    return gatewayOf(overview.collector.processes());
  });
  app.get('/api/jobs', async () => {
    const { processes, unavailable } = await listJobs();
    return { processes, unavailable: unavailable.map(({ service, address }) => `${service} at ${address}`) };
  });
  registerRequests(app, deps);
}

function registerStream(app: FastifyInstance, deps: Deps): void {
  const { overview } = deps;
  const authenticate = authenticator(deps);
  const stream = new EventStream();
  const stop = overview.collector.onStep(() => {
    if (stream.size === 0) return;
    void overview.collector.look();
    recentOverview(overview, 1)
      .then((step) => stream.send('snapshot', JSON.stringify(step)))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'a step of the overview could not be sent'));
  });
  app.addHook('preClose', async () => {
    stop();
    stream.close();
  });
  app.get('/api/overview/stream', { exposeHeadRoute: false }, async (request, reply) => {
    void overview.collector.look();
    stream.open(reply, { operator: operatorOf(request).name, check: () => authenticate(request) });
  });
}

function registerRequests(app: FastifyInstance, { overview, config, log }: Deps): void {
  const { log_dir, log_url } = config;
  const inTurn = concurrency(SEARCHES);
  const findRecent =
    log_dir === undefined ? async (): Promise<RecentRequests> => new Map() : recentRequests(log_dir, log);
  app.get('/api/routes', async () => {
    await overview.collector.look();
    const recent = await findRecent();
    const items = overview.collector.routes
      .list(Date.now())
      .map((route) => ({ ...route, recent: recent.get(route.route) ?? [] }));
    return { items };
  });
  app.get('/api/requests/:request_id', async (request) => {
    const request_id = readRequestId(request);
    const found =
      log_dir === undefined
        ? { lines: [], searched: NO_LOGS }
        : await inTurn(() => findRequest(log_dir, request_id));
    const url = log_url?.replaceAll('{request_id}', encodeURIComponent(request_id));
    return { ...found, ...(url !== undefined && { url }) };
  });
}

function readWindow(request: FastifyRequest): string {
  const form = new Form();
  const window = readParameter(form, request, 'window', MAX_WINDOW);
  form.check();
  return window || HOUR;
}

function readRequestId(request: FastifyRequest): string {
  const form = new Form();
  const id = String(bodyOf(request.params).request_id ?? '');
  if (!REQUEST_ID.test(id))
    form.fail('request_id', 'INVALID_FORMAT', 'Must be 1 to 128 printable ASCII characters.');
  form.check();
  return id;
}
