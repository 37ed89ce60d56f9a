import { PART_BYTES } from '../limits.ts';
import { type MessageType, MessageWriter } from '../messages/codec.ts';
import { ANSWER, ANSWER_FRAME } from './fields.ts';

export interface AnsweredCall {
  readonly id: number;
  /** Called once: when the whole answer has been taken as frames, or when it is dropped. */
  answerSent(): void;
}

interface Frame {
  readonly bytes: Uint8Array;
  readonly answers: number;
}

/** An answer that is too long for one frame. */
interface LongAnswer {
  readonly call: AnsweredCall;
  readonly response: Uint8Array;
  sentBytes: number;
}

/** Writes frames of answers. A short answer is encoded directly into its frame; a long one is sent in parts. */
export class AnswerFrameWriter {
  readonly #writer = new MessageWriter();
  readonly #fullFrames: Frame[] = [];
  /** Number of answers in the unfinished frame. */
  #answers = 0;
  #longAnswers: LongAnswer[] = [];
  #draining = false;

  /** @throws if the response cannot be encoded; nothing is added then */
  succeed(call: AnsweredCall, type: MessageType<unknown>, response: unknown): void {
    const writer = this.#writer;
    const before = writer.length;
    try {
      writer.uint32(ANSWER_FRAME.answers).fork();
      writer.uint32(ANSWER.id).uint32(call.id);
      const length = writer.writeField(ANSWER.response, type, response);
      if (length > PART_BYTES) {
        this.#longAnswers.push({ call, response: writer.cutOff(before, length), sentBytes: 0 });
        return;
      }
      writer.join();
    } catch (error) {
      writer.rollBack(before);
      throw error;
    }
    call.answerSent();
    this.#countAnswer();
  }

  fail(id: number, status: number, details: Uint8Array): void {
    const writer = this.#writer;
    writer.uint32(ANSWER_FRAME.answers).fork();
    writer.uint32(ANSWER.id).uint32(id).uint32(ANSWER.status).uint32(status);
    if (details.length > 0) writer.uint32(ANSWER.details).bytes(details);
    writer.join();
    this.#countAnswer();
  }

  /** Sets `draining` in every frame from now on. Returns an empty frame that has it. */
  drain(): Uint8Array {
    this.#draining = true;
    return this.#finish().bytes;
  }

  /** Number of unsent answers, short and long. */
  size(): number {
    return this.#fullFrames.reduce(
      (sum, frame) => sum + frame.answers,
      this.#answers + this.#longAnswers.length,
    );
  }

  /** Takes the next frame of short answers. */
  nextFrame(): Uint8Array | undefined {
    if (this.#fullFrames.length > 0) return this.#fullFrames.shift()?.bytes;
    return this.#answers === 0 ? undefined : this.#finish().bytes;
  }

  /** Takes the next part of a long answer, as a frame. Long answers take turns. */
  nextPart(): Uint8Array | undefined {
    const long = this.#longAnswers.shift();
    if (long === undefined) return undefined;
    const { call, response, sentBytes } = long;
    const part = response.subarray(sentBytes, sentBytes + PART_BYTES);
    long.sentBytes += part.length;
    const more = long.sentBytes < response.length;
    if (more) this.#longAnswers.push(long);
    else call.answerSent();
    return partFrame(call.id, part, more, this.#draining);
  }

  /** Drops the unsent parts of a long answer. */
  drop(id: number): void {
    const dropped = this.#longAnswers.filter(({ call }) => call.id === id);
    if (dropped.length === 0) return;
    this.#longAnswers = this.#longAnswers.filter(({ call }) => call.id !== id);
    for (const { call } of dropped) call.answerSent();
  }

  /** Drops all long answers. */
  dropAll(): void {
    const dropped = this.#longAnswers;
    this.#longAnswers = [];
    for (const { call } of dropped) call.answerSent();
  }

  #countAnswer(): void {
    this.#answers++;
    if (this.#writer.length >= PART_BYTES) this.#fullFrames.push(this.#finish());
  }

  #finish(): Frame {
    if (this.#draining) this.#writer.uint32(ANSWER_FRAME.draining).uint32(1);
    const frame = { bytes: this.#writer.finish(), answers: this.#answers };
    this.#answers = 0;
    return frame;
  }
}

const heads = new MessageWriter();

/** A frame with a part of a long answer. The part is copied once, into a buffer of the frame's length. */
function partFrame(id: number, part: Uint8Array, more: boolean, draining: boolean): Uint8Array {
  heads.uint32(ANSWER.id).uint32(id);
  if (more) heads.uint32(ANSWER.more).uint32(1);
  heads.uint32(ANSWER.response).uint32(part.length);
  const answerHead = heads.finish();
  if (draining) heads.uint32(ANSWER_FRAME.draining).uint32(1);
  heads.uint32(ANSWER_FRAME.answers).uint32(answerHead.length + part.length);
  return Buffer.concat([heads.finish(), answerHead, part]);
}
