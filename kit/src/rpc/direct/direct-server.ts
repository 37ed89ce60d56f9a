import { Status } from '../../fault.ts';
import type { Logger } from '../../log.ts';
import { withSpan } from '../../trace/current-span.ts';
import type { Access } from '../access.ts';
import { anonymous, ServerCall, validCaller } from '../call.ts';
import {
  type CallWatch,
  dispatch,
  type Failure,
  type Replies,
  type RequestMessage,
  type ServedStream,
} from '../dispatch.ts';
import type { MessageType } from '../messages/codec.ts';
import { decodeFault } from '../messages/fault-wire.ts';
import { readValues, writeValues } from '../messages/message-values.ts';
import type { OutgoingCall, OutgoingStream } from '../outgoing-call.ts';
import { openCalls } from '../stream/open-calls.ts';
import { dispatchStream, type StreamEnds } from '../streaming/dispatch-stream.ts';
import { Unreachable } from '../unreachable.ts';
import { beginSoon } from './begin-soon.ts';
import type { MessageQueue } from './message-queue.ts';

/** A server, as links of its own process call it. */
export interface DirectServer {
  /**
   * Makes a call of the service with this name. `reply` is told once how it ended.
   *
   * @returns how to abort it; undefined: it was refused
   */
  call(from: string, outgoing: OutgoingCall, request: RequestMessage, reply: DirectReply): Abort | undefined;
  /** The same for a stream of responses, which go into the queue. */
  stream(
    from: string,
    outgoing: OutgoingStream,
    request: RequestMessage,
    queue: MessageQueue,
  ): Abort | undefined;
  /** Whether it is about to end. It still takes calls. */
  isDraining(): boolean;
  drain(): void;
  /** Ends streams, and waits for calls and streams. */
  close(): Promise<void>;
  /** Fails the calls that are still open, and waits no longer. */
  cutOff(): void;
}

export interface DirectReply {
  succeed(response: unknown): void;
  fail(error: Error): void;
}

export type Abort = () => void;

export interface DirectServerOptions {
  /** What the service with this name may call. */
  readonly accessOf: (name: string) => Access;
  readonly streamAccessOf: (name: string) => Access<ServedStream>;
  readonly log: Logger;
  readonly watch: CallWatch;
  /** Whether the messages that it answers with are frozen. */
  readonly frozen: boolean;
}

const NO_DETAILS = new Uint8Array();

/** Has handlers answer the calls of links in this process, by the rules of calls from other processes. */
export function directServer(options: DirectServerOptions): DirectServer {
  const { accessOf, streamAccessOf, log, watch, frozen } = options;
  /** Calls whose handlers run. A cancelled call counts until its handler has ended. */
  const open = openCalls<{ readonly call: ServerCall; readonly reply: DirectReply }>();
  /** How to end each stream because the server stops. */
  const streams = new Set<() => void>();
  const idle = Promise.withResolvers<void>();
  let lastId = 0;
  let draining = false;
  let closing = false;

  const replies: Replies = {
    succeed: (call, { responseType }, response) => {
      if (!call.aborted) open.get(call.id)?.reply.succeed(received(responseType, response, frozen));
      settle(call);
    },
    fail: (call, { status, details }) => {
      // A fault goes as bytes, so that what it may hold, and how much of it, is the same as between processes.
      if (!call.aborted) open.get(call.id)?.reply.fail(decodeFault(status, details));
      settle(call);
    },
  };

  function settle(call: ServerCall): void {
    open.take(call.id);
    call.sent();
    endIfDone();
  }

  function call(
    from: string,
    outgoing: OutgoingCall,
    request: RequestMessage,
    reply: DirectReply,
  ): Abort | undefined {
    const access = accessOf(from);
    const method = access.methods.get(outgoing.path);
    if (method === undefined) {
      reply.fail(decodeFault(access.refuse(outgoing.path), NO_DETAILS));
      return undefined;
    }
    const call = serverCall(++lastId, outgoing, method.takesCaller, log);
    open.set(call.id, { call, reply });
    beginSoon(() => {
      if (call.aborted) settle(call);
      else void withSpan(undefined, () => dispatch(method, request, call, replies, watch));
    });
    return () => call.abort();
  }

  function stream(
    from: string,
    outgoing: OutgoingStream,
    request: RequestMessage,
    queue: MessageQueue,
  ): Abort | undefined {
    const access = streamAccessOf(from);
    const method = access.methods.get(outgoing.path);
    if (method === undefined) {
      queue.end(decodeFault(access.refuse(outgoing.path), NO_DETAILS));
      return undefined;
    }
    const { responseType } = method;
    const call = serverCall(0, outgoing, method.takesCaller, log);
    let stopped = false;
    const stop = (): void => {
      stopped = !call.aborted;
      queue.giveUp(decodeFault(Status.UNAVAILABLE, NO_DETAILS)); // a handler that waits for room goes on
      call.abort();
    };
    const send = (response: unknown): Promise<void> => queue.send(received(responseType, response, frozen));
    const ends = queueEnds(queue, () => stopped);
    streams.add(stop);
    void withSpan(undefined, () => dispatchStream(method, request, call, send, watch, ends)).finally(() => {
      streams.delete(stop);
      endIfDone();
    });
    return () => call.abort();
  }

  function endIfDone(): void {
    if (closing && open.size() === 0 && streams.size === 0) idle.resolve();
  }

  return {
    call,
    stream,
    isDraining: () => draining,
    drain: () => {
      draining = true;
    },
    close: () => {
      closing = true;
      for (const stop of streams) stop();
      endIfDone();
      return idle.promise;
    },
    cutOff: () => {
      for (const [, { call, reply }] of open.all()) {
        reply.fail(new Unreachable(new Error('the server stopped'), true));
        call.abort();
      }
      idle.resolve();
    },
  };
}

function serverCall(
  id: number,
  { caller, requestId, due_ms, traceparent }: OutgoingStream,
  takesCaller: boolean,
  log: Logger,
): ServerCall {
  return new ServerCall(
    id,
    takesCaller ? validCaller(caller) : anonymous,
    requestId,
    due_ms,
    log,
    traceparent,
  );
}

/** @throws for a response that cannot be sent */
function received<T>(type: MessageType<T>, response: T, frozen: boolean): T {
  return readValues(type, writeValues(type, response, frozen));
}

function queueEnds(queue: MessageQueue, isStopping: () => boolean): StreamEnds {
  return {
    end: () => queue.end(),
    fail: ({ status, details }: Failure) => queue.end(decodeFault(status, details)),
    stop: () => undefined, // the client knows already
    isStopping,
  };
}
