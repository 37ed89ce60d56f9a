import { AnswerFrame, CallFrame } from '@gatehouse/proto/kit/calls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAnswerFrame, decodeCallFrame } from '../../src/rpc/stream/frame-reader.ts';
import { withHexBytes } from '../support/frame-values.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const bytes = fc.uint8Array({ maxLength: 60 });
const uint32 = fc.nat({ max: 2 ** 32 - 1 });
const calls = fc.record({
  calls: fc.array(
    fc.record({
      id: uint32,
      method: text,
      request: bytes,
      timeout_ms: uint32,
      caller: bytes,
      request_id: text,
      traceparent: fc.constantFrom('', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
    }),
    { maxLength: 5 },
  ),
  cancelled: fc.array(uint32, { maxLength: 5 }),
});
const answers = fc.record({
  answers: fc.array(
    fc.record({ id: uint32, status: fc.nat(16), response: bytes, details: bytes, more: fc.boolean() }),
    { maxLength: 5 },
  ),
  draining: fc.boolean(),
});

/** The result of a reader, with all bytes in hex; undefined if it refuses them. */
function madeBy(decode: (bytes: Uint8Array) => unknown, encoded: Uint8Array): unknown {
  try {
    return withHexBytes(decode(encoded), encoded);
  } catch {
    return undefined;
  }
}

describe('a frame is decoded as the library does', () => {
  it('of calls', () => {
    fc.assert(
      fc.property(calls, (frame) => {
        const encoded = CallFrame.encode(frame).finish();
        const made = madeBy(decodeCallFrame, encoded);
        expect(made).toBeDefined();
        expect(made).toEqual(madeBy((one) => CallFrame.decode(new Uint8Array(one)), encoded));
      }),
    );
  });

  it('of answers', () => {
    fc.assert(
      fc.property(answers, (frame) => {
        const encoded = AnswerFrame.encode(frame).finish();
        const made = madeBy(decodeAnswerFrame, encoded);
        expect(made).toBeDefined();
        expect(made).toEqual(madeBy((one) => AnswerFrame.decode(new Uint8Array(one)), encoded));
      }),
    );
  });

  it('with fields of a later contract', () => {
    const later = [0x7a, 3, 1, 2, 3, 0x78, 5]; // field 15: bytes, then a number
    const call = [0x08, 7, ...later];
    expect(decodeCallFrame(Uint8Array.from([...later, 0x0a, call.length, ...call]))).toMatchObject({
      calls: [{ id: 7, method: '' }],
    });
    expect(decodeAnswerFrame(Uint8Array.from([0x0a, call.length, ...call, ...later]))).toMatchObject({
      answers: [{ id: 7, status: 0 }],
      draining: false,
    });
  });

  it('that is truncated anywhere is refused', () => {
    const call = {
      id: 300,
      method: 'm',
      request: Uint8Array.of(1),
      timeout_ms: 300,
      caller: Uint8Array.of(2),
      request_id: 'r',
      traceparent: '',
    };
    const encoded = CallFrame.encode({ calls: [call], cancelled: [300] }).finish();
    const whole = CallFrame.encode({ calls: [call], cancelled: [] }).finish().length; // a frame by itself
    for (let length = 1; length < encoded.length; length++) {
      const cut = encoded.subarray(0, length);
      if (length === whole) expect(decodeCallFrame(cut).calls).toHaveLength(1);
      else expect(() => decodeCallFrame(cut)).toThrow();
    }
  });

  it('with a traceparent of the wrong length is read as if it had none', () => {
    const call = {
      id: 1,
      method: 'm',
      request: new Uint8Array(),
      timeout_ms: 300,
      caller: new Uint8Array(),
      request_id: 'r',
    };
    for (const [length, read] of [
      [54, 0],
      [55, 55],
      [56, 0],
      [100_000, 0],
    ] as const) {
      const encoded = CallFrame.encode({
        calls: [{ ...call, traceparent: 'x'.repeat(length) }],
        cancelled: [],
      }).finish();
      expect(decodeCallFrame(encoded).calls).toMatchObject([
        { id: 1, request_id: 'r', traceparent: 'x'.repeat(read) },
      ]);
    }
  });

  it('that is garbage is read or refused in finite time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        for (const decode of [decodeCallFrame, decodeAnswerFrame]) madeBy(decode, garbage);
      }),
    );
  });
});
