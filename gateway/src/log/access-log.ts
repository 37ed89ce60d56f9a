import { Fault } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Span } from '@gatehouse/kit/trace/span';
import type { FastifyRequest } from 'fastify';
import { UNKNOWN_METHOD } from '../http/request-headers.ts';
import type { ErrorDocs } from './error-docs.ts';
import type { RequestDurations } from './request-durations.ts';
import { endRequestSpan, type TraceRequest } from './request-trace.ts';

export interface AccessLogOptions {
  readonly log: Logger;
  readonly docsOf: ErrorDocs;
  /** Undefined without metrics. */
  readonly durations?: RequestDurations | undefined;
  /** Undefined: nothing is traced. */
  readonly trace?: TraceRequest | undefined;
}

export type AccessLog = (
  request: Pick<FastifyRequest, 'id' | 'method'>,
  status: number,
  ms: number,
  failure: unknown,
  span: Span | undefined,
) => void;

/** The members of a line that depend on the request. */
interface RequestLine {
  readonly request_id: string;
  trace_id?: string;
  docs?: string | undefined;
}

/**
 * Makes the function that logs an answered request in one line, counts its duration, and ends its span, if it has
 * one. The log shows the route's pattern: path and query may hold a credential
 * (docs/conventions.md#no-secrets-in-logs).
 */
export function accessLog({ log, docsOf, durations }: AccessLogOptions, route = '(unmatched)'): AccessLog {
  const count = durations?.(route);
  const byMethod = new Map<string, Logger>(); // Node's parser knows some forty methods
  return ({ id: request_id, method: sent }, status, elapsed_ms, failure, span) => {
    const method = sent === UNKNOWN_METHOD ? '_OTHER' : sent;
    count?.(method, status, elapsed_ms);
    const ms = Math.round(elapsed_ms * 1000) / 1000;
    const line: RequestLine = { request_id };
    if (span !== undefined) {
      line.trace_id = span.traceId;
      endRequestSpan(span, status);
    }
    if (failure !== undefined && status >= 400) line.docs = docsOf(failure);
    // A request that fails after its status was sent is a failure too.
    if (status >= 500 || (failure !== undefined && status < 400)) {
      const err = failure instanceof Fault ? (failure.cause ?? failure) : failure;
      log.error({ ...line, method, route, status, ms, err }, 'request');
      return;
    }
    let methodLog = byMethod.get(method);
    if (methodLog === undefined) {
      methodLog = log.child({ method, route }, { redact: [] }); // none of these members can hold a secret
      byMethod.set(method, methodLog);
    }
    methodLog.info(Object.assign(line, { status, ms }), 'request');
  };
}
