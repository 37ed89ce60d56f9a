import { AnswerFrame } from '@gatehouse/proto/kit/calls';
import { encodeMessage, type MessageType, MessageWriter } from '../codec.ts';
import { PART_BYTES } from '../limits.ts';
import { ANSWER, ANSWER_FRAME } from './fields.ts';

const NOTHING = new Uint8Array();

/**
 * The answers of a call stream on their way out. Each is written straight into the frame that it leaves in
 * (kit/v1/calls.proto has the fields), but for long ones, which leave in parts.
 */
export interface AnswerFrames {
  /** @throws for a response that cannot be written; nothing of it stays */
  succeed(id: number, type: MessageType<unknown>, response: unknown): void;
  fail(id: number, status: number, details: Uint8Array): void;
  /** From now on frames tell the client to place no further calls; gives one that says so at once. */
  drain(): Uint8Array;
  /** How many answers wait, however long. */
  size(): number;
  /** Short answers of about one part's length in all; undefined when none waits. */
  nextFrame(): Uint8Array | undefined;
  /** A part of a long answer, as a frame; they take turns. */
  nextPart(): Uint8Array | undefined;
  /** Leaves out what has not been sent of a long answer. */
  drop(id: number): void;
}

interface Frame {
  readonly bytes: Uint8Array;
  readonly answers: number;
}

interface Long {
  readonly id: number;
  readonly response: Uint8Array;
  sent: number;
}

export function answerFrames(): AnswerFrames {
  const writer = new MessageWriter();
  const full: Frame[] = [];
  let answers = 0; // in the frame that is being written
  let long: Long[] = [];
  let draining = false;

  function succeed(id: number, type: MessageType<unknown>, response: unknown): void {
    const before = writer.length;
    try {
      writer.uint32(ANSWER_FRAME.answers).fork();
      writer.uint32(ANSWER.id).uint32(id);
      const length = writer.writeField(ANSWER.response, type, response);
      if (length > PART_BYTES) {
        long.push({ id, response: writer.copyLast(length), sent: 0 });
        writer.rollBack(before);
        return;
      }
      writer.join();
    } catch (error) {
      writer.rollBack(before);
      throw error;
    }
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
    const { id, response } = turn;
    const part = response.subarray(turn.sent, turn.sent + PART_BYTES);
    turn.sent += part.length;
    const more = turn.sent < response.length;
    if (more) long.push(turn);
    const answer = { id, status: 0, response: part, details: NOTHING, more };
    return encodeMessage(AnswerFrame, { answers: [answer], draining });
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
    drop: (id) => {
      if (long.length > 0) long = long.filter((one) => one.id !== id);
    },
  };
}
