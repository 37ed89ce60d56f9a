import type { Answer } from '@gatehouse/proto/kit/calls';
import { PART_BYTES } from './limits.ts';

/** The answers of a call stream on their way out: those of one frame, and longer ones, which leave in parts. */
export interface AnswerQueue {
  add(answer: Answer): void;
  /** How many wait, however long. */
  size(): number;
  /** Short answers of about one part's length in all; empty when none waits. */
  nextFrame(): Answer[];
  /** A part of a long answer; they take turns. */
  nextPart(): Answer | undefined;
  /** Leaves out what has not been sent of a long answer. */
  drop(id: number): void;
}

export function answerQueue(): AnswerQueue {
  let short: Answer[] = [];
  let long: { readonly answer: Answer; sent: number }[] = [];

  function nextFrame(): Answer[] {
    let bytes = 0;
    let count = 0;
    while (count < short.length && (count === 0 || bytes < PART_BYTES)) {
      const { response, details } = short[count] as Answer;
      bytes += response.length + details.length;
      count++;
    }
    const answers = count === short.length ? short : short.slice(0, count);
    short = count === short.length ? [] : short.slice(count);
    return answers;
  }

  function nextPart(): Answer | undefined {
    const turn = long.shift();
    if (turn === undefined) return undefined;
    const { answer } = turn;
    const response = answer.response.subarray(turn.sent, turn.sent + PART_BYTES);
    turn.sent += response.length;
    const more = turn.sent < answer.response.length;
    if (more) long.push(turn);
    return { ...answer, response, more };
  }

  return {
    add: (answer) => {
      if (answer.response.length > PART_BYTES) long.push({ answer, sent: 0 });
      else short.push(answer);
    },
    size: () => short.length + long.length,
    nextFrame,
    nextPart,
    drop: (id) => {
      if (long.length > 0) long = long.filter(({ answer }) => answer.id !== id);
    },
  };
}
