import type { Span } from '@gatehouse/kit/trace/span';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessLog } from './access-log.ts';

/** The values of a log line that are known only while the request is answered. */
export interface RequestOutcome {
  readonly span?: Span | undefined;
  failure?: unknown;
}

/** Logs a request of a route without a pipeline once its response has closed. */
export function logOnClose(
  writeLog: AccessLog,
  request: Pick<FastifyRequest, 'id' | 'method'>,
  { raw }: FastifyReply,
  outcome: RequestOutcome = {},
): void {
  const startedAt_ms = performance.now();
  raw.once('close', () =>
    writeLog(request, raw.statusCode, performance.now() - startedAt_ms, outcome.failure, outcome.span),
  );
}
