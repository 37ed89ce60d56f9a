import { Fault } from '@gatehouse/kit/fault';
import { type Logger, lineMembers, lineWriter } from '@gatehouse/kit/log';
import type { FastifyRequest } from 'fastify';
import type { Row } from './route.ts';

export type AccessLog = (request: FastifyRequest, status: number, ms: number, failure: unknown) => void;

/**
 * Makes the function that logs a request, in one line. It gives the route's pattern: path and query may hold a
 * credential (docs/conventions.md#no-secrets-in-logs).
 */
export function accessLog(log: Logger, row: Pick<Row, 'path'> | undefined): AccessLog {
  const write = lineWriter(log, 'request');
  const route = row?.path ?? '(unmatched)';
  const byMethod = new Map<string, string>();
  return ({ id, method }, status, ms, failure) => {
    if (status >= 500) {
      const err = failure instanceof Fault ? (failure.cause ?? failure) : failure;
      log.error({ request_id: id, method, route, status, ms, err }, 'request');
      return;
    }
    let what = byMethod.get(method);
    if (what === undefined) {
      what = lineMembers({ method, route });
      byMethod.set(method, what); // bounded: Node's parser knows few methods
    }
    write(id, what, status, ms);
  };
}
