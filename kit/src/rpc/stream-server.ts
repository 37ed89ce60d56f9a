import { type Answer, AnswerFrame, type Call as CallMessage } from '@gatehouse/proto/kit/calls';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import { answerQueue } from './answer-queue.ts';
import { decodeCaller, ServerCall } from './call.ts';
import { encodeMessage } from './codec.ts';
import { type CallLog, dispatch, type Outcome, type ServedMethod } from './dispatch.ts';
import { decodeCallFrame } from './frames.ts';
import { MAX_OPEN_CALLS, MAX_WAITING_ANSWERS } from './limits.ts';
import { atTurnEnd, beginTurn } from './turn.ts';

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
  write: CallLog,
): ServedStream {
  /** Whose handlers run: a cancelled one counts until its handler has noticed. */
  const open = new Map<number, ServerCall>();
  const answers = answerQueue();
  let draining = false;
  let scheduled = false;
  let blocked = false;
  let partUnderWay = false;
  let ended = false;

  stream.on('data', (bytes: Uint8Array) => {
    if (stream.writableEnded) return; // refused already
    beginTurn();
    try {
      const { calls, cancelled } = decodeCallFrame(bytes);
      let method = '';
      for (const call of calls) {
        if (call.method !== '') method = call.method;
        take(call, method);
      }
      for (const id of cancelled) cancel(id);
    } catch (error) {
      refuse(error);
    }
  });
  stream.on('end', () => {
    ended = true;
    endIfDone();
  });
  for (const event of ['cancelled', 'error', 'close']) stream.on(event, abortAll);

  function take(message: CallMessage, path: string): void {
    const { id } = message;
    const method = methods.get(path);
    if (open.has(id)) {
      refuse(new Error(`two open calls have the ID ${id}`));
      return;
    }
    if (method === undefined || open.size >= MAX_OPEN_CALLS) {
      answer(id, method === undefined ? Status.UNIMPLEMENTED : Status.RESOURCE_EXHAUSTED, EMPTY, EMPTY);
      return;
    }
    const deadline = Date.now() + message.timeout_ms;
    const call = new ServerCall(decodeCaller(message.caller), message.request_id, deadline, log);
    const outcome = dispatch(method, message.request, call, write);
    if (outcome instanceof Promise) {
      open.set(id, call);
      void outcome.then((later) => finish(id, call, later));
    } else finish(id, call, outcome);
  }

  function finish(id: number, call: ServerCall, { status, response, details }: Outcome): void {
    open.delete(id);
    if (call.aborted) endIfDone();
    else answer(id, status, response, details);
  }

  function cancel(id: number): void {
    open.get(id)?.abort();
    answers.drop(id);
  }

  function answer(id: number, status: Status, response: Uint8Array, details: Uint8Array): void {
    answers.add({ id, status, response, details, more: false });
    if (answers.size() >= MAX_WAITING_ANSWERS) stream.pause(); // who does not read is not read from
    schedule();
  }

  function schedule(): void {
    if (scheduled || blocked) return;
    scheduled = true;
    atTurnEnd(flush);
  }

  function flush(): void {
    scheduled = false;
    if (blocked) return; // filled up since this was scheduled: `drain` is awaited already
    while (!blocked && isWritable()) {
      const frame = answers.nextFrame();
      if (frame.length === 0) break;
      blocked = !stream.write(encode(frame));
    }
    if (!blocked && !partUnderWay && isWritable()) sendPart();
    if (blocked) stream.once('drain', unblock);
    if (stream.isPaused() && answers.size() < MAX_WAITING_ANSWERS) stream.resume();
    endIfDone();
  }

  /** One part at a time, so that no answer waits behind more than that of a long one. */
  function sendPart(): void {
    const part = answers.nextPart();
    if (part === undefined) return;
    partUnderWay = true;
    blocked = !stream.write(encode([part]), () => {
      partUnderWay = false;
      schedule();
    });
  }

  function unblock(): void {
    blocked = false;
    flush();
  }

  function encode(frame: Answer[]): Uint8Array {
    return encodeMessage(AnswerFrame, { answers: frame, draining });
  }

  function isWritable(): boolean {
    return !stream.destroyed && !stream.writableEnded;
  }

  function endIfDone(): void {
    if (ended && open.size === 0 && answers.size() === 0) stream.end();
  }

  /** Ends the stream of a client that does not keep to the protocol. */
  function refuse(error: unknown): void {
    log.warn({ err: error }, 'a call stream breaks the protocol and is ended');
    stream.emit('error', { code: Status.INVALID_ARGUMENT, message: 'not the frames of a call stream' });
  }

  function abortAll(): void {
    for (const call of open.values()) call.abort();
  }

  return {
    drain: () => {
      draining = true;
      if (isWritable()) stream.write(encode([]));
    },
  };
}
