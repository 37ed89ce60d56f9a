import { fuzz } from '@gatehouse/dev-env/fuzz';
import { Fault } from '@gatehouse/kit/fault';
import { type MessageSchema, messageSchema, parseObject, readJson, readText } from '@gatehouse/kit/json';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/routes/index.ts';
import { messageName } from '../../src/service-definitions.ts';

type Field = MessageSchema['fields'][number];

/** Inputs for each request message. */
const RUNS = 60;

/** Every request message that some route reads from JSON or from text. */
const REQUESTS = [...new Map(ROUTES.map((route) => [messageName(route, 'Request'), route] as const))].map(
  ([full, { method }]) => ({ full, schema: messageSchema(full), type: method.requestType }),
);

/** Member names that JavaScript treats specially, and that no contract has. */
const ODD_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '', '0'];

const deep = fc
  .tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('[', '{"a":'))
  .map(([depth, open]) => `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`);

/** JSON text of a value that no contract has. JSON.stringify would not write 1e999. */
const anything: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '[[]]', '{"__proto__":{"x":1}}'),
  fc.constantFrom(
    '-0',
    '1e999',
    '-1e999',
    '1e-400',
    '9007199254740993',
    '1.5',
    '4294967296',
    '1'.repeat(400),
  ),
  fc.constantFrom('"\\ud800"', '"\\udc00\\ud800"', '"a\\u0000"', '"9223372036854775808"', '"0"', '"\\ufeff"'),
  fc.json(),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  deep,
);

/** Text for a message: members of the contract, mostly of their type; some twice; and others. */
function messageText(schema: MessageSchema, depth = 0): fc.Arbitrary<string> {
  const members = schema.fields.map((field) =>
    fc.tuple(fc.constant(field.name), fc.oneof({ weight: 4, arbitrary: fieldText(field, depth) }, anything)),
  );
  const odd = fc.tuple(fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string()), anything);
  const member = members.length === 0 ? odd : fc.oneof({ weight: 5, arbitrary: fc.oneof(...members) }, odd);
  return fc
    .tuple(fc.tuple(...members), fc.array(member, { maxLength: 3 }), fc.boolean())
    .map(([all, more, whole]) => [...(whole ? all : all.slice(1)), ...more])
    .map((pairs) => `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`);
}

function fieldText(field: Field, depth: number): fc.Arbitrary<string> {
  const [items] = field.list ? (field.message?.fields ?? []) : [];
  if (items !== undefined) return fieldText(items, depth);
  const text = valueText(field, depth);
  return field.repeated ? fc.array(text, { maxLength: 4 }).map((items) => `[${items.join()}]`) : text;
}

function valueText({ kind, message }: Field, depth: number): fc.Arbitrary<string> {
  switch (kind) {
    case 'string':
    case 'nullable_string':
      return fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text));
    case 'snowflake':
    case 'nullable_snowflake':
      return fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map((id) => `"${id}"`);
    case 'boolean':
      return fc.boolean().map(String);
    case 'integer':
    case 'nullable_integer':
      return fc.oneof(fc.maxSafeInteger(), fc.nat(100)).map(String);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number));
    case 'json':
      return fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    case 'message':
      return message === undefined || depth > 4 ? fc.constant('{}') : messageText(message, depth + 1);
    case 'bytes':
      return fc.constant('null');
  }
}

/** Checks a message against its schema, without the reader's code. */
function conforms(message: unknown, schema: MessageSchema, path: string): void {
  expect(Object.keys(message as object), path).toEqual(schema.fields.map(({ name }) => name));
  expect(Object.getPrototypeOf(message), path).toBe(Object.prototype);
  for (const field of schema.fields) {
    const value: unknown = Reflect.get(message as object, field.name);
    const at = `${path}.${field.name}`;
    if (field.repeated) {
      expect(Array.isArray(value), at).toBe(true);
      const items = value as unknown[];
      expect(items.length, at).toBeLessThanOrEqual(field.itemsRead);
      if (field.serverOnly) expect(items, at).toEqual([]);
      for (const item of items) holds(field, item, at);
    } else if (value !== null) holds(field, value, at);
    else
      expect(field.optional || field.message !== undefined || field.kind.startsWith('null'), at).toBe(true);
  }
}

function holds(field: Field, value: unknown, at: string): void {
  switch (field.kind) {
    case 'string':
      holdsText(value, at);
      return;
    case 'nullable_string':
      holdsNullable(value, at, holdsText);
      return;
    case 'snowflake':
      holdsSnowflake(value, at);
      return;
    case 'nullable_snowflake':
      holdsNullable(value, at, holdsSnowflake);
      return;
    case 'boolean':
      expect(typeof value, at).toBe('boolean');
      return;
    case 'integer':
      holdsInteger(value, at, field);
      return;
    case 'number':
      expect(Number.isFinite(value), at).toBe(true);
      return;
    case 'nullable_integer':
      holdsNullable(value, at, (element) => holdsInteger(element, at, field));
      return;
    case 'json':
      expect(value === '' || typeof JSON.parse(value as string) === 'object', at).toBe(true);
      return;
    case 'bytes':
      expect(value, at).toEqual(new Uint8Array());
      return;
    case 'message':
      if (field.message !== undefined) conforms(value, field.message, at);
  }
}

function holdsSnowflake(value: unknown, at: string): void {
  expect(value === '' || (typeof value === 'string' && isSnowflake(value)), at).toBe(true);
}

function holdsText(value: unknown, at: string): void {
  expect(typeof value === 'string' && value.isWellFormed() && !value.includes('\0'), at).toBe(true);
}

function holdsInteger(value: unknown, at: string, { min, max }: Field): void {
  expect(Number.isInteger(value) && Number(value) >= min && Number(value) <= max, at).toBe(true);
}

function holdsNullable(value: unknown, at: string, hold: (element: unknown, at: string) => void): void {
  const { value: inner } = value as { value: unknown };
  if (inner !== null) hold(inner, at);
}

/** The parsed object; undefined if the bytes are refused, for example for too many values. */
function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    return parseObject(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return undefined;
  }
}

type Reading = ReturnType<typeof readJson<Record<string, unknown>>>;

/** Every read message conforms, and, without violations, survives encoding. */
function isSound({ message, violations }: Reading, { schema, type, full }: (typeof REQUESTS)[number]): void {
  conforms(message, schema, full);
  expect(violations.length).toBeLessThanOrEqual(100);
  for (const { path, code, message: text } of violations) {
    expect([path, code, text]).toEqual([
      expect.stringMatching(/^\w+(\.\w+)*$/),
      expect.stringMatching(/^[A-Z_]+$/),
      expect.stringMatching(/\.$/),
    ]);
  }
  if (violations.length === 0) {
    expect(plain(type.decode(new Uint8Array(type.encode(message).finish())))).toEqual(plain(message));
  }
}

/** The generated code has undefined for some nulls. */
function plain(message: unknown): unknown {
  return JSON.parse(
    JSON.stringify(message, (_, value) => (value instanceof Uint8Array ? [...value] : value)),
  );
}

describe('any body', () => {
  it.each(REQUESTS)('is read as $full, or refused by an authored fault', (request) =>
    fuzz(
      request.full,
      RUNS,
      fc.property(messageText(request.schema), (text) => {
        const value = parsed(new TextEncoder().encode(text));
        if (value !== undefined) isSound(readJson(request.full, value), request);
      }),
    ),
  );

  it.each(REQUESTS)('is read as $full from the text of a query', (request) => {
    const names = request.schema.fields.map(({ name }) => name);
    const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ODD_NAMES, ...names) }, fc.string());
    const value = fc.oneof(
      anything,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('true', '12', '-0', '1e3', '007', '9'.repeat(20), undefined),
    );
    return fuzz(
      `${request.full} as text`,
      RUNS,
      fc.property(fc.dictionary(name, value), (query) => isSound(readText(request.full, query), request)),
    );
  });

  it('other than an object in UTF-8 is an authored fault', () =>
    fuzz(
      'bytes',
      1000,
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          anything.map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          expect(['object', 'undefined']).toContain(typeof parsed(bytes));
        },
      ),
    ));
});
