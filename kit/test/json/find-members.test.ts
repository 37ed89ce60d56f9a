import { Fault } from '@gatehouse/kit/fault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMembers } from '../../src/json/find-members.ts';

/** The members by JSON.parse of a body that is a JSON object; undefined for any other body. */
function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The found members, parsed by JSON.parse; undefined if the body was refused. */
function found(bytes: Uint8Array, wanted: readonly string[]): Record<string, unknown> | undefined {
  try {
    const places = findMembers(bytes, new Set(wanted));
    return Object.fromEntries(
      [...places].map(([name, { from, to }]) => [
        name,
        JSON.parse(Buffer.from(bytes).toString('utf8', from, to)),
      ]),
    );
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function expectLikeParse(bytes: Uint8Array, wanted: readonly string[]): void {
  const whole = parsed(bytes);
  const expected =
    whole &&
    Object.fromEntries(
      wanted.filter((name) => Object.hasOwn(whole, name)).map((name) => [name, whole[name]]),
    );
  expect(found(bytes, wanted)).toEqual(expected);
}

const WANTED = ['a', 'b', '__proto__', ''];

describe('members are found', () => {
  it.each([
    '{}',
    ' \t\r\n{ } ',
    '{"a":1}',
    '{"a":1,"a":[2]}',
    '{"\\u0061":"escaped name"}',
    '{"a":{"a":1},"b":[{"a":2},[],{}]}',
    '{"__proto__":{"x":1},"":0}',
    '{"a":-0.5e+10,"b":1E-2}',
    '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\uDE00","b":null}',
    '{"a":true,"b":false}',
    '\ufeff{"a":1}',
  ])('as JSON.parse does: %j', (text) => {
    const bytes = Buffer.from(text);
    expect(found(bytes, WANTED)).toBeDefined();
    expectLikeParse(bytes, WANTED);
  });

  it.each([
    '',
    ' ',
    '[]',
    '"a"',
    'null',
    '{',
    '}',
    '{}x',
    '{}{}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{a:1}',
    "{'a':1}",
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":1e}',
    '{"a":-}',
    '{"a":tru}',
    '{"a":nulll}',
    '{"a":NaN}',
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\\u12',
    '{"a":"',
    '{"a":[1,]}',
    '{"a":[1}',
    '{"a":{]}',
    '{"a":[}',
    '\ufeff\ufeff{}',
    '{"a":1 2}',
    '{"a" 1}',
    '{"a":[1 2]}',
  ])('refuses a broken body: %j', (text) => {
    expect(parsed(Buffer.from(text))).toBeUndefined();
    expect(found(Buffer.from(text), WANTED)).toBeUndefined();
  });

  it('refuses a body that is not UTF-8', () => {
    expect(found(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), WANTED)).toBeUndefined();
  });

  it('as JSON.parse does, for any JSON and near-JSON', () => {
    const object = fc.dictionary(fc.oneof(fc.constantFrom(...WANTED), fc.string()), fc.jsonValue());
    const text = fc.tuple(object, fc.nat(3)).map(([value, indent]) => JSON.stringify(value, null, indent));
    const edit = fc.record({
      at: fc.nat(),
      drop: fc.nat(3),
      add: fc.constantFrom(...'{}[]",:\\0-.eu \n\u00fftn', ''),
    });
    const edited = fc.tuple(text, fc.array(edit, { maxLength: 3 })).map(([whole, edits]) =>
      edits.reduce((now, { at, drop, add }) => {
        const place = at % (now.length + 1);
        return now.slice(0, place) + add + now.slice(place + drop);
      }, whole),
    );
    fc.assert(
      fc.property(edited, (one) => expectLikeParse(Buffer.from(one), WANTED)),
      { numRuns: 5_000 },
    );
  });

  it('with their number of values and depth', () => {
    const places = findMembers(Buffer.from('{"a":[1,{"b":[]},"x"],"b":7}'), new Set(['a', 'b']));
    expect(places.get('a')).toEqual({ from: 5, to: 21, values: 5, depth: 3 });
    expect(places.get('b')).toEqual({ from: 26, to: 27, values: 1, depth: 0 });
  });

  it('after millions of values and deeply nested arrays, without keeping them', () => {
    const empty = Buffer.from(`{"x":[${'{},'.repeat(1_000_000)}{}],"a":1}`);
    const deep = Buffer.from(`{"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},"a":1}`);
    for (const bytes of [empty, deep]) expect(found(bytes, WANTED)).toEqual({ a: 1 });
  });
});
