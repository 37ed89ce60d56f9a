import { Caller, type CallerKind } from '@gatehouse/proto/kit/calls';
import { expect, test } from 'vitest';
import { AnswerFrameWriter } from '../../src/rpc/stream/answer-frame-writer.ts';
import { decodeAnswerFrame } from '../../src/rpc/stream/frame-reader.ts';

test('a long answer is sent in parts, which take nothing from the short answers before and after it', () => {
  const writer = new AnswerFrameWriter();
  const sent: number[] = [];
  const answer = (id: number, length: number): void =>
    writer.succeed({ id, answerSent: () => sent.push(id) }, Caller, callerOf(length));
  answer(1, 10);
  answer(2, 150_000);
  answer(3, 20_000);
  answer(4, 70_000);
  expect(sent).toEqual([1, 3]);

  const received = new Map<number, Uint8Array[]>();
  const drained = writer.drain(); // takes the short answers along
  const frames = [drained, ...framesOf(() => writer.nextFrame() ?? writer.nextPart())];
  for (const frame of frames) {
    const { answers, draining } = decodeAnswerFrame(frame);
    expect(draining).toBe(true);
    for (const { id, response } of answers) {
      const parts = received.get(id) ?? [];
      received.set(id, [...parts, frame.subarray(response.from, response.to)]);
    }
  }
  for (const [id, length, parts] of [
    [1, 10, 1],
    [2, 150_000, 3],
    [3, 20_000, 1],
    [4, 70_000, 2],
  ] as const) {
    expect(received.get(id)).toHaveLength(parts);
    expect(Caller.decode(Buffer.concat(received.get(id) ?? []))).toEqual(callerOf(length));
  }
  expect(sent.toSorted()).toEqual([1, 2, 3, 4]);
  expect(writer.size()).toBe(0);
});

test('a frame with a whole part takes no more memory than its bytes', () => {
  const writer = new AnswerFrameWriter();
  writer.succeed({ id: 300, answerSent: () => undefined }, Caller, callerOf(200_000));
  const [first, second, third] = framesOf(() => writer.nextPart());
  for (const frame of [first, second, third]) expect(frame?.buffer.byteLength).toBe(frame?.length);
});

function callerOf(length: number): Caller {
  return {
    kind: 0 as CallerKind,
    account_id: '1',
    credential_id: 'é'.repeat(length / 2),
    application_id: '',
    scopes: [],
    ip: '',
    user_agent: '',
    accept_language: null,
  };
}

function framesOf(next: () => Uint8Array | undefined): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let frame = next(); frame !== undefined; frame = next()) frames.push(frame);
  return frames;
}
