import { UninterpretedOption } from '@gatehouse/proto/google/protobuf/descriptor';
import { BadRequest, ErrorInfo } from '@gatehouse/proto/google/rpc/error-details';
import { Status } from '@gatehouse/proto/google/rpc/status';
import { AnswerFrame, Caller, CallFrame } from '@gatehouse/proto/kit/calls';
import { NullableInteger, NullableString } from '@gatehouse/proto/kit/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MethodDefinition } from '../../src/rpc/definition.ts';
import { decodeMessage, encodeMessage, type MessageType } from '../../src/rpc/messages/codec.ts';
import { readValues, writeValues } from '../../src/rpc/messages/message-values.ts';

type AnyMessage = MethodDefinition['requestType'];

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', 'a\udc00b', '\0', 'é'.repeat(100)),
);
const bytes = fc.uint8Array({ maxLength: 20 });
const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, -1, 2 ** 53, -(2 ** 53), 1.5, Number.NaN),
);
const int32 = fc.oneof(fc.integer(), fc.constantFrom(0, -0, 2 ** 31, 1.5));
const uint32 = fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 32 - 1, 2 ** 32, -1));
const absent = fc.constantFrom(null, undefined);
/** Members that are not in the contract, as a row of a database has them. */
const others = fc.record({ secret: text, toJSON: fc.constant(1) }, { requiredKeys: [] });

const status = fc.record({
  code: int32,
  message: text,
  details: fc.array(fc.record({ type_url: text, value: bytes })),
});
const violation = fc.record({ field: text, description: text, reason: text });
const call = fc.record({
  id: uint32,
  method: text,
  request: bytes,
  timeout_ms: uint32,
  caller: bytes,
  request_id: text,
  traceparent: text,
});
const answer = fc.record({ id: uint32, status: uint32, response: bytes, details: bytes, more: fc.boolean() });
const caller = fc.record({
  kind: fc.integer({ min: 0, max: 9 }),
  account_id: text,
  credential_id: text,
  application_id: text,
  scopes: fc.array(text),
  ip: text,
  user_agent: text,
});
const option = fc.record({
  name: fc.array(fc.record({ name_part: text, is_extension: fc.boolean() })),
  identifier_value: fc.oneof(text, absent),
  positive_int_value: fc.oneof(integer, absent),
  negative_int_value: fc.oneof(integer, absent),
  double_value: fc.oneof(fc.double(), absent),
  string_value: fc.oneof(bytes, absent),
  aggregate_value: fc.oneof(text, absent),
});

const MESSAGES: [string, AnyMessage, fc.Arbitrary<object>][] = [
  ['texts', Caller, caller],
  ['numbers, in a list', CallFrame, fc.record({ calls: fc.array(call), cancelled: fc.array(uint32) })],
  ['booleans and bytes', AnswerFrame, fc.record({ answers: fc.array(answer), draining: fc.boolean() })],
  ['messages in messages', Status, status],
  ['a list of messages', BadRequest, fc.record({ field_violations: fc.array(violation) })],
  ['a map', ErrorInfo, fc.record({ reason: text, domain: text, metadata: fc.dictionary(text, text) })],
  ['an optional text', NullableString, fc.record({ value: fc.oneof(text, absent) })],
  ['an optional number', NullableInteger, fc.record({ value: fc.oneof(integer, absent) })],
  ['numbers of every width', UninterpretedOption, option],
];

describe('a message that is passed as values', () => {
  it.each(MESSAGES)('equals the one passed as bytes: %s', (_, type, messages) => {
    fc.assert(
      fc.property(messages, others, (message, more) => {
        const sent = { ...more, ...message } as unknown;
        expect(outcome(() => readValues(type, writeValues(type, sent)))).toEqual(
          outcome(() => decodeMessage(type, encodeMessage(type, sent))),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('belongs to the receiver, and cannot be changed if it is frozen', () => {
    const sent = { calls: [], cancelled: [1, 2] };
    const values = writeValues(CallFrame, sent);
    sent.cancelled.push(3);
    expect(readValues(CallFrame, values)).toEqual({ calls: [], cancelled: [1, 2] });
    const frozen = readValues(CallFrame, writeValues(CallFrame, sent, true));
    expect(() => (frozen.cancelled as number[]).push(4)).toThrow(TypeError);
    expect(Object.isFrozen(frozen)).toBe(true);
  });

  it('can be passed after one that cannot be encoded or decoded', () => {
    const good = { value: 7 };
    expect(() => writeValues(Status, { code: 1, message: 'x', details: [undefined as never] })).toThrow();
    expect(() => readValues(NullableInteger, writeValues(NullableInteger, { value: 2 ** 60 }))).toThrow();
    expect(readValues(NullableInteger, writeValues(NullableInteger, good))).toEqual(good);
  });

  it('is refused if it has a field of an unused type', () => {
    const type: MessageType<number> = {
      encode: (value, writer) => {
        if (writer === undefined) throw new Error('without a writer');
        return writer.uint32(13).fixed32(value);
      },
      decode: () => 0,
    };
    expect(() => writeValues(type, 1)).toThrow('fields of this type');
  });
});

/** The result, or the error, as plain data: decoded bytes have Buffers where a default has none. */
function outcome(act: () => unknown): unknown {
  try {
    return plain(act());
  } catch {
    return 'throws';
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
