import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../health.ts';
import { type AccessLogOptions, accessLog } from '../log/access-log.ts';
import { logOnClose } from '../log/log-on-close.ts';
import { StatusHistory } from './status-history.ts';

const STATUS_JSON = '/status.json';

interface StatusOptions extends AccessLogOptions {
  readonly readiness: () => Promise<Readiness>;
  /** Whether the page exists (STATUS_PAGE). */
  readonly status_page?: boolean | undefined;
}

/**
 * The data of the public status page (docs/web.md#status). It names the services and nothing else: no address, no
 * version, no count. Requests of about the same time share one check, so many readers cause few calls.
 */
export function addStatus(app: FastifyInstance, options: StatusOptions): void {
  const { readiness, status_page = false } = options;
  if (!status_page) return;
  const history = new StatusHistory();
  const writeLog = accessLog(options, STATUS_JSON);
  app.get(STATUS_JSON, async (request, reply) => {
    logOnClose(writeLog, request, reply);
    const { services } = await readiness();
    return reply.header('cache-control', 'no-store').send(history.record(services, new Date()));
  });
}
