import { CallsDefinition } from '@gatehouse/proto/kit/calls';
import { methodPath } from '../definition.ts';
import type { ConnectionState, Link } from '../link.ts';
import { linkClosed, type OutgoingCall } from '../outgoing-call.ts';
import type { ClientTls } from '../tls/client-tls.ts';
import { unaryLink } from '../unary/unary-link.ts';
import { callConnection } from './call-connection.ts';
import { type CallStream, callStream } from './stream-client.ts';

const OPEN = methodPath(CallsDefinition, CallsDefinition.methods.open);

/**
 * Calls a replica on a call stream. Health, streams of responses, and requests that are too long for a frame go as RPCs
 * of gRPC, over a second connection that is made when it is first needed.
 */
export function streamLink(address: string, tls: ClientTls | undefined): Link {
  const connection = callConnection(address, tls);
  const unary = unaryLink(address, tls, false);
  /** The current one, and those before it that have calls open. */
  const streams = new Set<CallStream>();
  let current: CallStream | undefined;
  let retired = false;
  /** The connection whose server is about to end. */
  let draining: number | undefined;

  function call(outgoing: OutgoingCall): void {
    if (retired) {
      outgoing.fail(linkClosed());
      return;
    }
    let stream: CallStream;
    try {
      stream = usableStream();
    } catch (unreachable) {
      outgoing.fail(unreachable as Error);
      return;
    }
    stream.call(outgoing);
  }

  /** @throws Unreachable */
  function usableStream(): CallStream {
    if (current?.usable() === true) return current;
    const generation = connection.generation();
    const opened = callStream({
      open: (events) => connection.open(OPEN, events),
      tooLong: unary.call,
      onDraining: () => {
        draining = generation;
      },
      onEnd: () => {
        streams.delete(opened);
        closeIfDone();
      },
    });
    streams.add(opened);
    current = opened;
    return opened;
  }

  function state(): ConnectionState {
    const now = connection.state();
    return now === 'connected' && draining === connection.generation() ? 'draining' : now;
  }

  /** A stream may hand calls to `unary` until it ends. */
  function closeIfDone(): void {
    if (!retired || streams.size > 0) return;
    unary.retire();
    connection.close();
  }

  return {
    address,
    openedAt_ms: performance.now(),
    call,
    stream: unary.stream,
    isServing: async (timeoutMs) => (await unary.isServing(timeoutMs)) && connection.state() === 'connected',
    inFlight: () => {
      let count = unary.inFlight();
      for (const stream of streams) count += stream.inFlight();
      return count;
    },
    state,
    retire: () => {
      retired = true;
      for (const stream of streams) stream.retire();
      closeIfDone();
    },
  };
}
