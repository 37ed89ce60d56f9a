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
  type ServedMethod,
  type ServedStream,
} from '../dispatch.ts';
import type { MessageType } from '../messages/codec.ts';
import { decodeFault } from '../messages/fault-wire.ts';
import { readValues, writeValues } from '../messages/message-values.ts';
import type { OutgoingCall, OutgoingStream } from '../outgoing-call.ts';
import { OpenCalls } from '../stream/open-calls.ts';
import { dispatchStream, type StreamEnds } from '../streaming/dispatch-stream.ts';
import { Unreachable } from '../unreachable.ts';
import { beginSoon } from './begin-soon.ts';
import type { MessageQueue } from './message-queue.ts';

export interface DirectReply {
  succeed(response: unknown): void;
  fail(error: Error): void;
}

export type Abort = () => void;

export interface DirectServerOptions {
  /** The unary methods that the service with this name may call. */
  readonly accessOf: (name: string) => Access;
  /** The methods with a stream of responses that it may call. */
  readonly streamAccessOf: (name: string) => Access<ServedStream>;
  readonly log: Logger;
  readonly watch: CallWatch;
  /** Whether responses are frozen. */
  readonly frozen: boolean;
}

interface RunningCall {
  readonly call: ServerCall;
  readonly reply: DirectReply;
}

const NO_DETAILS = new Uint8Array();

/** Runs handlers for the links of this process, under the same rules as calls from other processes. */
export class DirectServer implements Replies {
  readonly #options: DirectServerOptions;
  /** Calls whose handlers run. A cancelled call counts until its handler ends. */
  readonly #open = new OpenCalls<RunningCall>();
  /** For each open stream, the function that ends it at shutdown. */
  readonly #stopStreams = new Set<() => void>();
  readonly #idle = Promise.withResolvers<void>();
  #lastId = 0;
  #draining = false;
  #closing = false;

  constructor(options: DirectServerOptions) {
    this.#options = options;
  }

  /** Whether the server is about to end. It still takes calls. */
  get draining(): boolean {
    return this.#draining;
  }

  /**
   * Makes a call for the service with this name. It ends with one call of a method of `reply`.
   *
   * @returns a function that aborts the call; undefined if it was refused
   */
  call(from: string, outgoing: OutgoingCall, request: RequestMessage, reply: DirectReply): Abort | undefined {
    const { accessOf, log, watch } = this.#options;
    const access = accessOf(from);
    const method = access.methods.get(outgoing.path);
    if (method === undefined) {
      reply.fail(decodeFault(access.refuse(outgoing.path), NO_DETAILS));
      return undefined;
    }
    const call = serverCall(++this.#lastId, outgoing, method.acceptsCaller, log);
    this.#open.set(call.id, { call, reply });
    beginSoon(() => {
      if (call.aborted) this.#settle(call);
      else void withSpan(undefined, () => dispatch(method, request, call, this, watch));
    });
    return () => call.abort();
  }

  /** As `call`, for a stream of responses, which go into the queue. */
  stream(
    from: string,
    outgoing: OutgoingStream,
    request: RequestMessage,
    queue: MessageQueue,
  ): Abort | undefined {
    const { streamAccessOf, log, watch, frozen } = this.#options;
    const access = streamAccessOf(from);
    const method = access.methods.get(outgoing.path);
    if (method === undefined) {
      queue.end(decodeFault(access.refuse(outgoing.path), NO_DETAILS));
      return undefined;
    }
    const { responseType } = method;
    const call = serverCall(0, outgoing, method.acceptsCaller, log);
    let stopped = false;
    const stop = (): void => {
      stopped = !call.aborted;
      queue.giveUp(decodeFault(Status.UNAVAILABLE, NO_DETAILS)); // releases a handler that waits for room
      call.abort();
    };
    const send = (response: unknown): Promise<void> =>
      queue.send(receivedCopy(responseType, response, frozen));
    const ends = queueEnds(queue, () => stopped);
    this.#stopStreams.add(stop);
    void withSpan(undefined, () => dispatchStream(method, request, call, send, watch, ends)).finally(() => {
      this.#stopStreams.delete(stop);
      this.#resolveIfIdle();
    });
    return () => call.abort();
  }

  drain(): void {
    this.#draining = true;
  }

  /** Ends streams, and waits for open calls and streams. */
  close(): Promise<void> {
    this.#closing = true;
    for (const stop of this.#stopStreams) stop();
    this.#resolveIfIdle();
    return this.#idle.promise;
  }

  /** Fails the open calls, and lets `close` settle. */
  cutOff(): void {
    for (const [, { call, reply }] of this.#open.all()) {
      reply.fail(new Unreachable(new Error('the server stopped'), true));
      call.abort();
    }
    this.#idle.resolve();
  }

  succeed(call: ServerCall, { responseType }: ServedMethod, response: unknown): void {
    if (!call.aborted)
      this.#open.get(call.id)?.reply.succeed(receivedCopy(responseType, response, this.#options.frozen));
    this.#settle(call);
  }

  /** Passes a fault as bytes, so that its contents and their limits are the same as between processes. */
  fail(call: ServerCall, { status, details }: Failure): void {
    if (!call.aborted) this.#open.get(call.id)?.reply.fail(decodeFault(status, details));
    this.#settle(call);
  }

  #settle(call: ServerCall): void {
    this.#open.take(call.id);
    call.answerSent();
    this.#resolveIfIdle();
  }

  #resolveIfIdle(): void {
    if (this.#closing && this.#open.size === 0 && this.#stopStreams.size === 0) this.#idle.resolve();
  }
}

function serverCall(
  id: number,
  { caller, requestId, due_ms, traceparent }: OutgoingStream,
  acceptsCaller: boolean,
  log: Logger,
): ServerCall {
  return new ServerCall(
    id,
    acceptsCaller ? validCaller(caller) : anonymous,
    requestId,
    due_ms,
    log,
    traceparent,
  );
}

/** Copies a response as it would arrive at the client. @throws if it does not fit its contract */
function receivedCopy<T>(type: MessageType<T>, response: T, frozen: boolean): T {
  return readValues(type, writeValues(type, response, frozen));
}

function queueEnds(queue: MessageQueue, isStopping: () => boolean): StreamEnds {
  return {
    end: () => queue.end(),
    fail: ({ status, details }: Failure) => queue.end(decodeFault(status, details)),
    stop: () => undefined, // the queue has ended already
    isStopping,
  };
}
