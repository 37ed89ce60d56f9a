import { Fault } from '@gatehouse/kit/fault';
import { type Logger, lineWriter } from '@gatehouse/kit/log';
import type { FastifyRequest } from 'fastify';
import type { Row } from './route.ts';

export type AccessLog = (request: FastifyRequest, status: number, ms: number, failure: unknown) => void;

/**
 * One line a request. It names the route by its pattern: the path and the query themselves may hold a
 * credential (contract 4, section 1).
 */
export function accessLog(log: Logger, row: Pick<Row, 'path'> | undefined): AccessLog {
  const write = lineWriter(log, 'request');
  const route = row?.path ?? '(unmatched)';
  return (request, status, ms, failure) => {
    const line = {
      request_id: request.id,
      method: request.method,
      route,
      status,
      ms: Math.round(ms * 1000) / 1000,
    };
    if (status < 500) write(line);
    else
      log.error({ ...line, err: failure instanceof Fault ? (failure.cause ?? failure) : failure }, 'request');
  };
}
