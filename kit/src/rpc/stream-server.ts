import {
  type Answer,
  AnswerFrame,
  Caller,
  CallFrame,
  type Call as CallMessage,
} from '@gatehouse/proto/kit/calls';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Fault, Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import { nobody, ServerCall } from './call.ts';
import { dispatch, type Outcome, type ServedMethod } from './dispatch.ts';
import { encodeFault } from './fault-wire.ts';
import { MAX_OPEN_CALLS, PART_BYTES } from './limits.ts';

/** The serving side of one call stream. */
export interface ServedStream {
  /** Tells the client to place no further calls; the client ends the stream when all are answered. */
  drain(): void;
}

const EMPTY = new Uint8Array();

/** Answers the calls of one stream until it ends, gathering the answers of a tick into one frame. */
export function serveStream(
  stream: ServerDuplexStream<Uint8Array, Uint8Array>,
  methods: ReadonlyMap<string, ServedMethod>,
  log: Logger,
): ServedStream {
  const open = new Map<number, ServerCall>();
  let ready: Answer[] = [];
  let draining = false;
  let flushing = false;
  let blocked = false;
  let ended = false;

  stream.on('data', (bytes: Uint8Array) => {
    let frame: CallFrame;
    try {
      frame = CallFrame.decode(bytes);
    } catch {
      stream.destroy(new Error('not a CallFrame'));
      return;
    }
    for (const call of frame.calls) void take(call);
    for (const id of frame.cancelled) {
      open.get(id)?.abort();
      open.delete(id);
    }
  });
  stream.on('end', () => {
    ended = true;
    if (open.size === 0) stream.end();
  });
  for (const event of ['cancelled', 'error', 'close']) stream.on(event, abortAll);

  async function take(message: CallMessage): Promise<void> {
    const method = methods.get(message.method);
    if (method === undefined)
      return refuse(message.id, Status.UNIMPLEMENTED, `no such method: ${message.method}`);
    if (open.size >= MAX_OPEN_CALLS)
      return refuse(message.id, Status.RESOURCE_EXHAUSTED, 'too many open calls');
    const caller = message.caller.length === 0 ? nobody : Caller.decode(message.caller);
    const call = new ServerCall(caller, message.request_id, Date.now() + message.timeout_ms, log);
    open.set(message.id, call);
    const outcome = await dispatch(method, message.request, call, log);
    if (open.get(message.id) !== call) return; // cancelled meanwhile: nobody waits for it
    open.delete(message.id);
    answer(message.id, outcome);
  }

  function refuse(id: number, status: Status, message: string): void {
    const details = encodeFault(new Fault({ status, reason: 'SERVICE_UNAVAILABLE', message }));
    answer(id, { status, response: EMPTY, details, message });
  }

  /** A long answer leaves in parts, so that others' answers travel between them. */
  function answer(id: number, { status, response, details }: Outcome): void {
    let offset = 0;
    while (response.length - offset > PART_BYTES) {
      ready.push({
        id,
        status,
        response: response.subarray(offset, offset + PART_BYTES),
        details: EMPTY,
        more: true,
      });
      offset += PART_BYTES;
    }
    ready.push({
      id,
      status,
      response: offset === 0 ? response : response.subarray(offset),
      details,
      more: false,
    });
    schedule();
  }

  function schedule(): void {
    if (flushing || blocked) return;
    flushing = true;
    setImmediate(flush);
  }

  function flush(): void {
    flushing = false;
    while (!blocked && !stream.destroyed && ready.length > 0) {
      blocked = !stream.write(AnswerFrame.encode({ answers: takeFrame(), draining }).finish());
    }
    if (blocked) {
      stream.once('drain', () => {
        blocked = false;
        flush();
      });
    }
    if (ended && open.size === 0 && ready.length === 0) stream.end();
  }

  /** The longest run of answers that keeps a frame near one part's size. */
  function takeFrame(): Answer[] {
    let bytes = 0;
    let count = 0;
    while (count < ready.length && (count === 0 || bytes < PART_BYTES)) {
      bytes += ready[count]?.response.length ?? 0;
      count++;
    }
    const frame = count === ready.length ? ready : ready.slice(0, count);
    ready = count === ready.length ? [] : ready.slice(count);
    return frame;
  }

  function abortAll(): void {
    for (const call of open.values()) call.abort();
    open.clear();
    ready = [];
  }

  return {
    drain: () => {
      draining = true;
      if (!stream.destroyed) stream.write(AnswerFrame.encode({ answers: [], draining }).finish());
    },
  };
}
