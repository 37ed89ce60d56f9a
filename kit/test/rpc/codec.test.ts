import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { AnswerFrame, Caller, CallerKind, CallFrame } from '@gatehouse/proto/kit/calls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from '../../src/rpc/messages/codec.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
  fc.constantFrom('é'.repeat(100), '😀'.repeat(70), 'a'.repeat(127), 'a'.repeat(128), `${'a'.repeat(60)}é`),
);
const caller: fc.Arbitrary<Caller> = fc.record({
  kind: fc.constantFrom(CallerKind.CALLER_KIND_UNSPECIFIED, CallerKind.CALLER_KIND_BOT),
  account_id: text,
  credential_id: text,
  application_id: text,
  scopes: fc.array(text, { maxLength: 3 }),
  ip: text,
  user_agent: text,
});
const bytes = fc.uint8Array({ maxLength: 300 });
const call = fc.record({
  id: fc.nat(),
  method: text,
  request: bytes,
  timeout_ms: fc.nat(),
  caller: bytes,
  request_id: text,
  traceparent: fc.constantFrom('', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
});

describe('the codec', () => {
  it('encodes as the library does and reads it back, many messages in a buffer', () => {
    const kept: [Uint8Array, string][] = [];
    fc.assert(
      fc.property(fc.array(call, { maxLength: 5 }), caller, (calls, who) => {
        const frame = { calls, cancelled: [] };
        const one = encodeMessage(CallFrame, frame);
        const two = encodeMessage(Caller, who);
        const expected = CallFrame.encode(frame).finish();
        expect(Buffer.from(one)).toEqual(Buffer.from(expected));
        expect(Buffer.from(two)).toEqual(Buffer.from(Caller.encode(who).finish()));
        expect(decodeMessage(Caller, two)).toEqual(Caller.decode(new Uint8Array(two)));
        expect(plain(decodeMessage(CallFrame, one))).toEqual(plain(CallFrame.decode(expected)));
        kept.push([one, Buffer.from(expected).toString('hex')]);
      }),
      { numRuns: 2000 },
    );
    // Later messages have not overwritten earlier ones.
    for (const [message, hex] of kept) expect(Buffer.from(message).toString('hex')).toBe(hex);
  });

  it('keeps numbers of every width, before and after the buffer is renewed', () => {
    const numbers = {
      encode: (values: readonly number[], writer = new BinaryWriter()) => {
        for (const value of values)
          writer
            .double(value)
            .int64(value)
            .fixed32(value >>> 0);
        return writer;
      },
      decode: (input: BinaryReader | Uint8Array) => {
        const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
        return [reader.double(), Number(reader.int64()), reader.fixed32()];
      },
    };
    for (let index = 0; index < 20_000; index++) {
      const value = 2 ** 40 + index;
      const expected = [value, value, value >>> 0];
      expect(decodeMessage(numbers, encodeMessage(numbers, [value]))).toEqual(expected);
    }
  });

  it('accepts messages that are longer than its buffer', () => {
    const frame = {
      calls: [{ ...aCall(), request: new Uint8Array(300_000).fill(7) }],
      cancelled: [],
    };
    const long = encodeMessage(CallFrame, frame);
    expect(decodeMessage(CallFrame, long).calls[0]?.request).toHaveLength(300_000);
    expect(encodeMessage(CallFrame, { calls: [], cancelled: [1] })).toEqual(Buffer.from([0x12, 1, 1]));
  });

  it('encodes messages of every length as the library does, wherever its buffer ends', () => {
    const kept: [Uint8Array, Uint8Array][] = [];
    for (const length of [10, 40_000, 20_000, 30_000, 90_000, 1, 65_536, 200_000, 130, 64_000, 3_000]) {
      const frame = {
        calls: [1, 2, 3].map((id) => ({
          ...aCall(),
          id,
          method: 'm'.repeat(length),
          request: new Uint8Array(id),
        })),
        cancelled: [length],
      };
      kept.push([encodeMessage(CallFrame, frame), CallFrame.encode(frame).finish()]);
    }
    for (const [one, expected] of kept) expect(Buffer.compare(one, expected)).toBe(0);
  });

  it('reads a message among others, and not beyond its end', () => {
    const frame = Buffer.from(AnswerFrame.encode({ answers: [], draining: true }).finish());
    const among = Buffer.concat([Buffer.from([1, 1]), frame, Buffer.from([1])]);
    expect(decodeMessage(AnswerFrame, among, 2, 4)).toEqual({ answers: [], draining: true });
    expect(() => decodeMessage(AnswerFrame, among, 2, 3)).toThrow(); // its value is its neighbour's
  });

  it('continues after messages that cannot be encoded or decoded', () => {
    const good = { calls: [aCall()], cancelled: [] };
    const expected = Buffer.from(CallFrame.encode(good).finish());
    expect(() =>
      encodeMessage(CallFrame, { calls: [aCall(), { ...aCall(), id: -1 }], cancelled: [] }),
    ).toThrow();
    expect(Buffer.from(encodeMessage(CallFrame, good))).toEqual(expected);
    expect(() => decodeMessage(CallFrame, expected.subarray(0, expected.length - 3))).toThrow();
    expect(decodeMessage(CallFrame, expected).calls).toHaveLength(1);
  });
});

function aCall(): CallFrame['calls'][number] {
  return {
    id: 1,
    method: '/a.B/C',
    request: new Uint8Array([1]),
    timeout_ms: 1,
    caller: new Uint8Array(),
    request_id: 'r',
    traceparent: '',
  };
}

function plain({ calls }: CallFrame): unknown {
  return calls.map((one) => ({ ...one, request: [...one.request], caller: [...one.caller] }));
}
