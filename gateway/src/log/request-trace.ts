import { peerAddress } from '@gatehouse/kit/net/client-ip';
import { requestSampler, type Sampling } from '@gatehouse/kit/trace/sampling';
import type { Span } from '@gatehouse/kit/trace/span';
import { readTraceparent } from '@gatehouse/kit/trace/traceparent';
import type { Tracer } from '@gatehouse/kit/trace/tracer';
import type { FastifyRequest } from 'fastify';

/** Begins the trace of a request, or continues one; undefined if it is not sampled. */
export type TraceRequest = (request: FastifyRequest, route: string | undefined) => Span | undefined;

interface RequestTraceOptions {
  readonly tracer: Tracer;
  readonly sampling: Sampling;
  readonly trusted_proxies: readonly string[];
}

/**
 * Decides, for all processes, whether a request is traced. The spans of a request belong to the trace that its
 * traceparent names, but only a trusted proxy's traceparent decides whether it is sampled. The edge drops tracestate.
 */
export function requestTraces({ tracer, sampling, trusted_proxies }: RequestTraceOptions): TraceRequest {
  const samples = requestSampler(sampling);
  const addressOf = peerAddress(trusted_proxies);
  const isTrusted = ({ raw }: FastifyRequest): boolean => addressOf(raw.socket.remoteAddress) === undefined;

  return (request, route) => {
    const { headers, id, method: sent } = request;
    const parent = readTraceparent(headers.traceparent as string | undefined); // Node joins several
    if (!samples(parent !== undefined && isTrusted(request) ? parent : undefined)) return undefined;
    const method = METHODS.has(sent) ? sent : '_OTHER';
    const attributes = {
      'http.request.method': method,
      'url.scheme': 'http',
      'gatehouse.request_id': id,
      ...(route !== undefined && { 'http.route': route }),
    };
    return tracer.begin(route === undefined ? method : `${method} ${route}`, attributes, parent);
  };
}

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

/** Ends the span of a request that was answered with this status. */
export function endRequestSpan(span: Span, status: number): void {
  span.set('http.response.status_code', status);
  if (status >= 500) span.fail(String(status));
  span.end();
}
