import fc from 'fast-check';

type Json = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** A payload of which one member is another value; undefined: it is deleted. */
export interface Mutation {
  readonly value: Json;
  readonly path: Path;
  readonly other: unknown;
}

const ONE_OF_EACH_TYPE: readonly unknown[] = [null, true, 7, 'text', [], {}];

/** Each member of a payload at every depth, one at a time: deleted, and replaced by each of other values. */
export function* mutationsOf(payload: Json, others = ONE_OF_EACH_TYPE): Generator<Mutation> {
  for (const path of pathsOf(payload)) {
    for (const other of [undefined, ...others]) {
      yield { value: replaced(payload, path, other) as Json, path, other };
    }
  }
}

/** What renderers may trip over. */
export const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  1e308,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  'a\r\nb\u2028',
  '](https://x.test)`',
  'javascript:alert(1)',
  'x'.repeat(9000),
  '🚪'.repeat(9000),
  [],
  [null, 7, 'x', [[]]],
  {},
  JSON.parse('{"__proto__":{"name":"x","login":"x"},"constructor":1,"toString":null,"length":-1}'),
];

/** Any JSON, often a hostile value. */
export function hostile(): fc.Arbitrary<unknown> {
  return fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(...HOSTILE));
}

/** A payload of which some members, at any depth, are deleted or hostile. */
export function mutated(payload: Json): fc.Arbitrary<Json> {
  const change = fc.tuple(fc.constantFrom(...pathsOf(payload)), fc.option(hostile(), { nil: undefined }));
  return fc
    .array(change, { minLength: 1, maxLength: 6 })
    .map((changes) => changes.reduce((json, [path, to]) => replaced(json, path, to) as Json, payload));
}

/** The places of all values below the payload. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]));
  return path.length === 0 ? below : [path, ...below];
}

/** The same JSON with another value at a place; undefined deletes the member. */
function replaced(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to;
  if (typeof value !== 'object' || value === null) return value;
  const part = replaced(Reflect.get(value, name), rest, to);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (String(index) === name ? part : item));
    return items.filter((item) => item !== undefined);
  }
  const { [name]: _, ...others } = value as Json;
  return part === undefined ? others : { ...others, [name]: part };
}
