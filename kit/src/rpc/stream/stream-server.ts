import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Status } from '../../fault.ts';
import type { Logger } from '../../log.ts';
import type { Access } from '../access.ts';
import { anonymous, decodeCaller, ServerCall } from '../call.ts';
import { type CallWatch, dispatch, type Replies } from '../dispatch.ts';
import { MAX_OPEN_CALLS, MAX_WAITING_ANSWERS } from '../limits.ts';
import { answerFrames } from './answer-frame-writer.ts';
import { decodeCallFrame, type ReadCall } from './frame-reader.ts';
import { openCalls } from './open-calls.ts';

/** The server's side of one call stream. */
export interface ServedStream {
  /** Tells the client to send no further calls. The client ends the stream when all are answered. */
  drain(): void;
}

const NO_DETAILS = new Uint8Array();

/** Answers the calls of one stream until it ends. ./README.md has the protocol. */
export function serveStream(
  stream: ServerDuplexStream<Uint8Array, Uint8Array>,
  access: Access,
  log: Logger,
  watch: CallWatch,
): ServedStream {
  /** Calls whose handlers run. A cancelled call counts until its handler has ended. */
  const open = openCalls<ServerCall>();
  const answers = answerFrames();
  let scheduled = false;
  let blocked = false;
  let partUnderWay = false;
  let ended = false;

  // grpc-js has one limit for all messages of a server, MAX_MESSAGE_BYTES. The limit of frames is checked here.
  stream.on('data', (bytes: Uint8Array) => {
    if (stream.writableEnded) return; // the stream was refused
    try {
      const { calls, cancelled } = decodeCallFrame(bytes);
      let method = '';
      for (const call of calls) {
        if (call.method !== '') method = call.method;
        take(bytes, call, method);
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

  const replies: Replies = {
    succeed: (call, { responseType }, response) => {
      if (call.aborted) call.sent();
      else answers.succeed(call, responseType, response);
      settle(call);
    },
    fail: (call, { status, details }) => {
      if (!call.aborted) answers.fail(call.id, status, details);
      call.sent();
      settle(call);
    },
  };

  function take(
    frame: Uint8Array,
    { id, request, timeout_ms, caller, request_id, traceparent }: ReadCall,
    path: string,
  ) {
    const method = access.methods.get(path);
    if (open.get(id) !== undefined) {
      refuse(new Error(`two open calls have the ID ${id}`));
      return;
    }
    if (method === undefined || open.size() >= MAX_OPEN_CALLS) {
      answers.fail(id, method === undefined ? access.refuse(path) : Status.RESOURCE_EXHAUSTED, NO_DETAILS);
      answered();
      return;
    }
    const who = method.takesCaller ? decodeCaller(frame, caller.from, caller.to) : anonymous;
    const call = new ServerCall(id, who, request_id, performance.now() + timeout_ms, log, traceparent);
    const { from, to } = request;
    const later = dispatch(method, { bytes: frame, from, to }, call, replies, watch);
    if (later !== undefined) open.set(id, call);
  }

  function settle({ id, aborted }: ServerCall): void {
    open.take(id);
    if (aborted) endIfDone();
    else answered();
  }

  function cancel(id: number): void {
    open.get(id)?.abort();
    answers.drop(id);
  }

  function answered(): void {
    if (answers.size() >= MAX_WAITING_ANSWERS) stream.pause(); // the client does not read its answers
    schedule();
  }

  function schedule(): void {
    if (scheduled || blocked) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    if (blocked) return; // `unblock` flushes
    while (!blocked && isWritable()) {
      const frame = answers.nextFrame();
      if (frame === undefined) break;
      blocked = !stream.write(frame);
    }
    if (!blocked && !partUnderWay && isWritable()) sendPart();
    if (blocked) stream.once('drain', unblock);
    if (stream.isPaused() && answers.size() < MAX_WAITING_ANSWERS) stream.resume();
    endIfDone();
  }

  /** Sends one part at a time, so that other answers wait for one part of a long answer at most. */
  function sendPart(): void {
    const part = answers.nextPart();
    if (part === undefined) return;
    partUnderWay = true;
    blocked = !stream.write(part, () => {
      partUnderWay = false;
      schedule();
    });
  }

  function unblock(): void {
    blocked = false;
    flush();
  }

  function isWritable(): boolean {
    return !stream.destroyed && !stream.writableEnded;
  }

  function endIfDone(): void {
    if (ended && open.size() === 0 && answers.size() === 0) stream.end();
  }

  /** Ends the stream of a client that breaks the protocol. */
  function refuse(error: unknown): void {
    log.warn({ err: error }, 'a call stream breaks the protocol and is ended');
    stream.emit('error', { code: Status.INVALID_ARGUMENT, message: 'not the frames of a call stream' });
  }

  function abortAll(): void {
    for (const [, call] of open.all()) call.abort();
    answers.dropAll();
  }

  return {
    drain: () => {
      const frame = answers.drain();
      if (isWritable()) stream.write(frame);
    },
  };
}
