import { fuzz, mutated } from '@gatehouse/dev-env/fuzz';
import { AnswerFrame, Caller, CallerKind, CallFrame } from '@gatehouse/proto/kit/calls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../src/rpc/messages/codec.ts';
import { decodeAnswerFrame, decodeCallFrame } from '../../src/rpc/stream/frame-reader.ts';
import { withHexBytes } from '../support/frame-values.ts';

const RUNS = 3000;

const text = fc.string({ unit: 'binary', maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 40 });
const uint32 = fc.nat({ max: 2 ** 32 - 1 });
const call = fc.record({
  id: uint32,
  method: text,
  request: bytes,
  timeout_ms: uint32,
  caller: bytes,
  request_id: text,
  traceparent: fc.constantFrom('', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
});
const answer = fc.record({
  id: uint32,
  status: fc.nat(16),
  response: bytes,
  details: bytes,
  more: fc.boolean(),
});
const calls = fc.record({
  calls: fc.array(call, { maxLength: 4 }),
  cancelled: fc.array(uint32, { maxLength: 4 }),
});
const answers = fc.record({ answers: fc.array(answer, { maxLength: 4 }), draining: fc.boolean() });
const caller = fc.record({
  kind: fc.constantFrom(CallerKind.CALLER_KIND_UNSPECIFIED, CallerKind.CALLER_KIND_BOT),
  account_id: text,
  credential_id: text,
  application_id: text,
  scopes: fc.array(text, { maxLength: 3 }),
  ip: text,
  user_agent: text,
});

const hostile = (original: fc.Arbitrary<Uint8Array>) => fc.oneof(mutated(original), fc.uint8Array());

/** Expects that our reader refuses the bytes, or decodes them as the generated code does. */
function expectAgreement(
  ours: (bytes: Uint8Array) => unknown,
  theirs: (bytes: Uint8Array) => unknown,
  bytes: Uint8Array,
) {
  let made: unknown;
  try {
    made = ours(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return;
  }
  expect(withHexBytes(made, bytes)).toEqual(withHexBytes(theirs(new Uint8Array(bytes)), bytes));
}

const READERS = [
  ['a frame of calls', decodeCallFrame, CallFrame.decode, calls.map((one) => CallFrame.encode(one).finish())],
  [
    'a frame of answers',
    decodeAnswerFrame,
    AnswerFrame.decode,
    answers.map((one) => AnswerFrame.encode(one).finish()),
  ],
  [
    'a message',
    (given: Uint8Array) => decodeMessage(Caller, given),
    Caller.decode,
    caller.map((one) => Caller.encode(one).finish()),
  ],
] as const;

describe('hostile bytes', () => {
  it.each(READERS)('as %s are refused, or decoded as the generated code does', (name, ours, theirs, valid) =>
    fuzz(
      name,
      RUNS,
      fc.property(hostile(valid), (given) => expectAgreement(ours, theirs, given)),
    ),
  );

  it.each([
    ['a field without a number', [0, 1, 0x10, 1]],
    ['the end of a group that did not begin', [0x0c]],
    ['endlessly nested groups', Array<number>(100_000).fill(0x7b)],
  ])('(%s) are refused, in a frame and in a call or answer of it', (_, given) => {
    const head = given.slice(0, 100);
    for (const bytes of [given, [0x0a, head.length, ...head]]) {
      expect(() => decodeCallFrame(Uint8Array.from(bytes))).toThrow();
      expect(() => decodeAnswerFrame(Uint8Array.from(bytes))).toThrow();
    }
  });

  it('that claim a large length do not allocate it', () => {
    for (const length of [
      [0xff, 0xff, 0xff, 0xff, 0x07],
      [0xff, 0xff, 0xff, 0xff, 0x0f],
    ]) {
      for (const tag of [0x0a, 0x12]) {
        expect(() => decodeCallFrame(Uint8Array.from([tag, ...length]))).toThrow();
        expect(() => decodeAnswerFrame(Uint8Array.from([0x0a, ...length]))).toThrow();
      }
      const inner = [0x0a, 6, 0x1a, ...length];
      expect(() => decodeCallFrame(Uint8Array.from(inner))).toThrow();
      expect(() => decodeAnswerFrame(Uint8Array.from(inner))).toThrow();
    }
  });
});
