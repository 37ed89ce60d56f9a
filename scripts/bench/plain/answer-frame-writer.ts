import { encodeMessage } from '@gatehouse/kit/rpc/codec';
import { PART_BYTES } from '@gatehouse/kit/rpc/limits';
import type { AnswerFrames } from '@gatehouse/kit/rpc/stream/answer-frame-writer';
import { type Answer, AnswerFrame } from '@gatehouse/proto/kit/calls';

const NO_BYTES = new Uint8Array();

/** Frames of answers, written by the generated code. Answers too long for a frame are not for the bench. */
export function answerFrames(): AnswerFrames {
  let answers: Answer[] = [];
  let draining = false;

  const encode = (some: Answer[]) => encodeMessage(AnswerFrame, { answers: some, draining });

  function nextFrame(): Uint8Array | undefined {
    if (answers.length === 0) return undefined;
    let bytes = 0;
    let count = 0;
    while (count < answers.length && bytes < PART_BYTES) bytes += answers[count++]?.response.length ?? 0;
    const first = count === answers.length ? answers : answers.slice(0, count);
    answers = answers.slice(count);
    return encode(first);
  }

  return {
    succeed: (call, type, response) => {
      const bytes = encodeMessage(type, response);
      answers.push({ id: call.id, status: 0, response: bytes, details: NO_BYTES, more: false });
      call.sent();
    },
    fail: (id, status, details) => {
      answers.push({ id, status, response: NO_BYTES, details, more: false });
    },
    drain: () => {
      draining = true;
      return encode([]);
    },
    size: () => answers.length,
    nextFrame,
    nextPart: () => undefined,
    drop: () => undefined,
    dropAll: () => undefined,
  };
}
