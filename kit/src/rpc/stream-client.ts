import { type Answer, AnswerFrame, CallFrame, type Call as CallMessage } from '@gatehouse/proto/kit/calls';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { cancelled, deadlineExceeded, Status, unavailable } from '../fault.ts';
import { decodeFault } from './fault-wire.ts';
import { MAX_OPEN_CALLS, PART_BYTES } from './limits.ts';
import { Unreachable } from './unreachable.ts';

export interface OutgoingCall {
  readonly path: string;
  readonly request: Uint8Array;
  readonly timeoutMs: number;
  readonly caller: Uint8Array;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/** The calling side of one call stream. */
export interface CallStream {
  call(call: OutgoingCall): Promise<Uint8Array>;
  /** Calls without an answer yet. */
  inFlight(): number;
  /** Whether it still takes calls: false once the server drains or the stream is lost. */
  usable(): boolean;
  /** Takes no further calls and ends when all are answered. */
  retire(): void;
}

interface Pending {
  readonly resolve: (response: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  readonly forget: (() => void) | undefined;
  parts: Uint8Array[] | undefined;
}

/** Sends calls over `stream`, those of a tick in one frame, and settles them as answers come. */
export function callStream(stream: ClientDuplexStream<Uint8Array, Uint8Array>): CallStream {
  const pending = new Map<number, Pending>();
  let waiting: CallMessage[] = [];
  let givenUp: number[] = [];
  let lastId = 0;
  let scheduled = false;
  let blocked = false;
  let usable = true;
  let lost = false;

  stream.on('data', (bytes: Uint8Array) => {
    const frame = AnswerFrame.decode(bytes);
    for (const answer of frame.answers) settle(answer);
    if (frame.draining) usable = false;
    endIfDone();
  });
  stream.on('error', (error: ServiceError) => lose(error));
  stream.on('end', () => lose(new Error('the peer ended the call stream')));
  stream.on('close', () => lose(new Error('the call stream is closed')));

  function call(outgoing: OutgoingCall): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (pending.size >= MAX_OPEN_CALLS) {
        reject(unavailable(new Error(`${MAX_OPEN_CALLS} calls are open already`)));
        return;
      }
      lastId = (lastId + 1) >>> 0;
      const id = lastId;
      const { path, request, timeoutMs, caller, requestId, signal } = outgoing;
      const timer = setTimeout(() => giveUp(id, deadlineExceeded()), timeoutMs);
      pending.set(id, { resolve, reject, timer, forget: onAbort(signal, id), parts: undefined });
      waiting.push({ id, method: path, request, timeout_ms: timeoutMs, caller, request_id: requestId });
      schedule();
    });
  }

  function onAbort(signal: AbortSignal | undefined, id: number): (() => void) | undefined {
    if (signal === undefined) return undefined;
    const abort = (): void => giveUp(id, cancelled());
    if (signal.aborted) queueMicrotask(abort);
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  }

  function take(id: number): Pending | undefined {
    const call = pending.get(id);
    if (call === undefined) return undefined;
    pending.delete(id);
    clearTimeout(call.timer);
    call.forget?.();
    return call;
  }

  function settle({ id, status, response, details, more }: Answer): void {
    if (more) {
      const call = pending.get(id);
      if (call === undefined) return;
      call.parts ??= [];
      call.parts.push(response);
      return;
    }
    const call = take(id);
    if (call === undefined) return; // given up before the answer came
    if (status !== Status.OK) call.reject(decodeFault(status, details));
    else call.resolve(call.parts === undefined ? response : Buffer.concat([...call.parts, response]));
  }

  function giveUp(id: number, reason: Error): void {
    const call = take(id);
    if (call === undefined) return;
    call.reject(reason);
    const unsent = waiting.findIndex((message) => message.id === id);
    if (unsent >= 0) waiting.splice(unsent, 1);
    else givenUp.push(id);
    schedule();
    endIfDone();
  }

  function schedule(): void {
    if (scheduled || blocked) return;
    scheduled = true;
    setImmediate(flush); // after the sockets of this tick were read, so that their calls share a frame
  }

  function flush(): void {
    scheduled = false;
    while (!blocked && !lost && (waiting.length > 0 || givenUp.length > 0)) {
      const frame = { calls: takeFrame(), cancelled: givenUp };
      givenUp = [];
      blocked = !stream.write(CallFrame.encode(frame).finish());
    }
    if (blocked) {
      stream.once('drain', () => {
        blocked = false;
        flush();
      });
    }
  }

  function takeFrame(): CallMessage[] {
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || bytes < PART_BYTES)) {
      bytes += waiting[count]?.request.length ?? 0;
      count++;
    }
    const frame = count === waiting.length ? waiting : waiting.slice(0, count);
    waiting = count === waiting.length ? [] : waiting.slice(count);
    return frame;
  }

  function lose(cause: Error): void {
    if (lost) return;
    lost = true;
    usable = false;
    waiting = [];
    for (const id of [...pending.keys()]) take(id)?.reject(new Unreachable(cause));
  }

  function endIfDone(): void {
    if (!usable && !lost && pending.size === 0) stream.end();
  }

  return {
    call,
    inFlight: () => pending.size,
    usable: () => usable,
    retire: () => {
      usable = false;
      endIfDone();
    },
  };
}
