export interface Mutation {
  /** What was done where, such as `attachments.0.title: null`. */
  readonly name: string;
  readonly value: unknown;
}

const OTHERS: readonly unknown[] = [true, 7, 'text', [], {}, [{}], { text: 'x' }];

/**
 * JSON with one thing changed at a time: every member and every item, at every depth, deleted, set to null, or
 * replaced by values of all other types.
 */
export function* mutationsOf(value: unknown, path = ''): Generator<Mutation> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const part = (value as Readonly<Record<string, unknown>>)[key];
    yield { name: `${at}: deleted`, value: without(value, key) };
    for (const other of [null, ...OTHERS]) {
      if (typeOf(other) === typeOf(part)) continue;
      yield { name: `${at}: ${JSON.stringify(other)}`, value: withPart(value, key, other) };
    }
    for (const inner of mutationsOf(part, at)) {
      yield { name: inner.name, value: withPart(value, key, inner.value) };
    }
  }
}

function without(value: object, key: string): unknown {
  if (Array.isArray(value)) return value.filter((_, index) => String(index) !== key);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function withPart(value: object, key: string, part: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? part : item));
  return { ...value, [key]: part };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
