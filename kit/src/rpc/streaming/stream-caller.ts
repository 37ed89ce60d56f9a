import { cancelled, deadlineExceeded, Fault, internal } from '../../fault.ts';
import { clientSpan, endClientSpan } from '../../trace/rpc-spans.ts';
import { anonymous } from '../call.ts';
import type { StreamOptions } from '../call-options.ts';
import type { MethodDefinition } from '../definition.ts';
import type { Link } from '../link.ts';
import { maxAttempts } from '../max-attempts.ts';
import type { OutgoingStream } from '../outgoing-call.ts';
import type { Replicas } from '../replicas.ts';
import { Unreachable } from '../unreachable.ts';

/**
 * Makes the function that calls a method with a stream of responses. Until the first response, a lost call is repeated as
 * a unary call would be. Throws Fault and nothing else.
 */
export function streamCaller(
  replicas: Replicas,
  path: string,
  method: MethodDefinition,
): (request: unknown, options?: StreamOptions) => AsyncIterable<unknown> {
  return (request, options = {}) =>
    inClientSpan(replicas, { path, method, request, traceparent: '', ...callContextOf(options) });
}

async function* inClientSpan(replicas: Replicas, outgoing: OutgoingStream): AsyncGenerator<unknown> {
  const span = clientSpan(outgoing.path);
  if (span === undefined) {
    yield* responses(replicas, outgoing);
    return;
  }
  try {
    yield* responses(replicas, { ...outgoing, traceparent: span.traceparent });
    endClientSpan(span);
  } catch (error) {
    endClientSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

async function* responses(replicas: Replicas, outgoing: OutgoingStream): AsyncGenerator<unknown> {
  let lost: Link | undefined;
  for (let attempt = 1; ; attempt++) {
    if (performance.now() >= outgoing.due_ms) throw deadlineExceeded();
    if (outgoing.signal?.aborted === true) throw cancelled();
    const link = replicas.pick(lost);
    let received = false;
    try {
      for await (const response of link.stream(outgoing)) {
        received = true;
        yield response;
      }
      return;
    } catch (error) {
      const mayRepeat = !received && error instanceof Unreachable;
      if (!mayRepeat || attempt >= maxAttempts(error, outgoing.method, replicas))
        throw faultOrInternal(error);
      lost = link;
    }
  }
}

function faultOrInternal(error: unknown): Fault {
  return error instanceof Fault ? error : internal(error);
}

function callContextOf(
  options: StreamOptions,
): Pick<OutgoingStream, 'due_ms' | 'caller' | 'requestId' | 'signal'> {
  const { parent, timeoutMs = Number.POSITIVE_INFINITY, signal } = options;
  return {
    due_ms: Math.min(performance.now() + timeoutMs, parent?.due_ms ?? Number.POSITIVE_INFINITY),
    caller: options.caller ?? parent?.caller ?? anonymous,
    requestId: options.requestId ?? parent?.requestId ?? '',
    signal,
  };
}
