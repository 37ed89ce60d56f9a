import { Fault, Status, statusName } from '../fault.ts';
import { currentSpan } from './current-span.ts';
import type { Attributes, Span } from './span.ts';
import { readTraceparent } from './traceparent.ts';
import type { Tracer } from './tracer.ts';

/** The span of a call to another process; undefined if the request is not sampled. */
export function clientSpan(path: string): Span | undefined {
  return currentSpan()?.child(path.slice(1), 'client', attributesOf(path));
}

/** The span of a call from another process; undefined unless that process samples the request. */
export function serverSpan(
  tracer: Tracer | undefined,
  path: string,
  { traceparent, requestId }: { readonly traceparent: string; readonly requestId: string },
): Span | undefined {
  if (tracer === undefined || traceparent === '') return undefined;
  const parent = readTraceparent(traceparent);
  if (parent?.sampled !== true) return undefined;
  const attributes = { ...attributesOf(path), 'gatehouse.request_id': requestId };
  return tracer.begin(path.slice(1), attributes, parent);
}

/** Ends the span of a call that another process answered. */
export function endClientSpan(span: Span, error?: unknown): void {
  const status = error === undefined ? Status.OK : error instanceof Fault ? error.status : Status.INTERNAL;
  end(span, status, status !== Status.OK);
}

/** Ends the span of a call that this process answered. An error of the caller is not a failure of this process. */
export function endServerSpan(span: Span, status: Status): void {
  end(span, status, OWN_FAILURES.has(status));
}

const OWN_FAILURES: ReadonlySet<Status> = new Set([
  Status.UNKNOWN,
  Status.DEADLINE_EXCEEDED,
  Status.UNIMPLEMENTED,
  Status.INTERNAL,
  Status.UNAVAILABLE,
  Status.DATA_LOSS,
]);

function end(span: Span, status: Status, isFailure: boolean): void {
  const name = statusName(status);
  span.set('rpc.response.status_code', name);
  if (isFailure) span.fail(name);
  span.end();
}

/** @param path "/package.Service/Method" */
function attributesOf(path: string): Attributes {
  return { 'rpc.system.name': 'grpc', 'rpc.method': path.slice(1) };
}
