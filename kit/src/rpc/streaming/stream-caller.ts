import { cancelled, deadlineExceeded, Fault, internal } from '../../fault.ts';
import { clientSpan, endClientSpan } from '../../trace/rpc-spans.ts';
import { anonymous } from '../call.ts';
import type { StreamOptions } from '../call-options.ts';
import type { MethodDefinition } from '../definition.ts';
import type { Link } from '../link.ts';
import { mostTries } from '../most-tries.ts';
import type { OutgoingStream } from '../outgoing-call.ts';
import type { Replicas } from '../replicas.ts';
import { Unreachable } from '../unreachable.ts';

/**
 * Makes the function that calls a method which answers with a stream. While it has given nothing, it is asked for again
 * where a unary call would be repeated. All it throws is Fault.
 */
export function streamCaller(
  peers: Replicas,
  path: string,
  method: MethodDefinition,
): (request: unknown, options?: StreamOptions) => AsyncIterable<unknown> {
  return (request, options = {}) =>
    traced(peers, { path, method, request, traceparent: '', ...contextOf(options) });
}

/** Its span lasts as long as the stream. */
async function* traced(peers: Replicas, outgoing: OutgoingStream): AsyncGenerator<unknown> {
  const span = clientSpan(outgoing.path);
  if (span === undefined) {
    yield* responses(peers, outgoing);
    return;
  }
  try {
    yield* responses(peers, { ...outgoing, traceparent: span.traceparent });
    endClientSpan(span);
  } catch (error) {
    endClientSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

async function* responses(peers: Replicas, outgoing: OutgoingStream): AsyncGenerator<unknown> {
  let lost: Link | undefined;
  for (let tries = 1; ; tries++) {
    if (performance.now() >= outgoing.due_ms) throw deadlineExceeded();
    if (outgoing.signal?.aborted === true) throw cancelled();
    const link = peers.pick(lost);
    let given = 0;
    try {
      for await (const response of link.stream(outgoing)) {
        given++;
        yield response;
      }
      return;
    } catch (error) {
      const again = given === 0 && error instanceof Unreachable;
      if (!again || tries >= mostTries(error, outgoing.method, peers)) throw toFault(error);
      lost = link;
    }
  }
}

function toFault(error: unknown): Fault {
  return error instanceof Fault ? error : internal(error);
}

function contextOf(
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
