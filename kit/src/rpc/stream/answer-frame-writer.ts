import { AnswerFrame } from '@gatehouse/proto/kit/calls';
import { PART_BYTES } from '../limits.ts';
import { encodeMessage, type MessageType, MessageWriter } from '../messages/codec.ts';
import { ANSWER, ANSWER_FRAME } from './fields.ts';

const NOTHING = new Uint8Array();

/**
 * Writes frames of answers. A short answer is written directly into its frame. A long one is kept, and sent in
 * parts.
 */
export interface AnswerFrames {
  /** @throws if the response cannot be encoded; then it adds nothing */
  succeed(call: AnsweredCall, type: MessageType<unknown>, response: unknown): void;
  fail(id: number, status: number, details: Uint8Array): void;
  /** From now on every frame has `draining`. Returns an empty frame that has it. */
  drain(): Uint8Array;
  /** How many answers wait to be sent, short and long. */
  size(): number;
  /** The next frame of short answers, if any wait. */
  nextFrame(): Uint8Array | undefined;
  /** The next part of a long answer, as a frame. Long answers take turns. */
  nextPart(): Uint8Array | undefined;
  /** Drops the parts of a long answer that are not sent yet. */
  drop(id: number): void;
  /** Drops all long answers: nobody reads them. */
  dropAll(): void;
}

/** `sent` is called once all of the answer is in frames that were taken, or is dropped. */
export interface AnsweredCall {
  readonly id: number;
  sent(): void;
}

interface Frame {
  readonly bytes: Uint8Array;
  readonly answers: number;
}

interface Long {
  readonly call: AnsweredCall;
  readonly response: Uint8Array;
  sent: number;
}

export function answerFrames(): AnswerFrames {
  const writer = new MessageWriter();
  const full: Frame[] = [];
  let answers = 0; // in the unfinished frame
  let long: Long[] = [];
  let draining = false;

  function succeed(call: AnsweredCall, type: MessageType<unknown>, response: unknown): void {
    const before = writer.length;
    try {
      writer.uint32(ANSWER_FRAME.answers).fork();
      writer.uint32(ANSWER.id).uint32(call.id);
      const length = writer.writeField(ANSWER.response, type, response);
      if (length > PART_BYTES) {
        long.push({ call, response: writer.copyLast(length), sent: 0 });
        writer.rollBack(before);
        return;
      }
      writer.join();
    } catch (error) {
      writer.rollBack(before);
      throw error;
    }
    call.sent();
    added();
  }

  function fail(id: number, status: number, details: Uint8Array): void {
    writer.uint32(ANSWER_FRAME.answers).fork();
    writer.uint32(ANSWER.id).uint32(id).uint32(ANSWER.status).uint32(status);
    if (details.length > 0) writer.uint32(ANSWER.details).bytes(details);
    writer.join();
    added();
  }

  function added(): void {
    answers++;
    if (writer.length >= PART_BYTES) full.push(finish());
  }

  function finish(): Frame {
    if (draining) writer.uint32(ANSWER_FRAME.draining).uint32(1);
    const frame = { bytes: writer.finish(), answers };
    answers = 0;
    return frame;
  }

  function nextFrame(): Uint8Array | undefined {
    if (full.length > 0) return full.shift()?.bytes;
    return answers === 0 ? undefined : finish().bytes;
  }

  function nextPart(): Uint8Array | undefined {
    const turn = long.shift();
    if (turn === undefined) return undefined;
    const { call, response } = turn;
    const part = response.subarray(turn.sent, turn.sent + PART_BYTES);
    turn.sent += part.length;
    const more = turn.sent < response.length;
    if (more) long.push(turn);
    else call.sent();
    const answer = { id: call.id, status: 0, response: part, details: NOTHING, more };
    return encodeMessage(AnswerFrame, { answers: [answer], draining });
  }

  function drop(isDropped: (answer: Long) => boolean): void {
    const dropped = long.filter(isDropped);
    if (dropped.length === 0) return;
    long = long.filter((one) => !isDropped(one));
    for (const { call } of dropped) call.sent();
  }

  return {
    succeed,
    fail,
    drain: () => {
      draining = true;
      return finish().bytes;
    },
    size: () => full.reduce((sum, frame) => sum + frame.answers, answers + long.length),
    nextFrame,
    nextPart,
    drop: (id) => drop(({ call }) => call.id === id),
    dropAll: () => drop(() => true),
  };
}
