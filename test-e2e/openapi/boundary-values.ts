import { type Json, resolve, type Schema } from './document.ts';

/** Longer texts are left out: they are pictures. */
const MAX_TEXT = 10_000;
/** A value of each type. */
const OF_EACH_TYPE: readonly Json[] = [null, true, 5, 1.5, 'text', [], {}];
const TEXTS = ['', '  ', ' a ', '0', '01', '-1', '9223372036854775807', '99999999999999999999'];
const LINKS = ['https://a.example', 'HTTPS://a.example/?b#c', 'ftp://a.example', 'https://a b'];
const TIMES = ['2026-01-01T00:00:00Z', '2026-01-01t00:00:00.123456+05:30'];

/**
 * Values on both sides of each rule of a schema, and of the wrong types. Whether one is valid is for a validator to say.
 *
 * @param seen the components whose members had their turn: each has one
 */
export function boundaryValues(schema: Schema, seen: Set<string>): Json[] {
  const { $ref } = schema;
  if ($ref !== undefined) {
    if (seen.has($ref)) return [...OF_EACH_TYPE];
    seen.add($ref);
    return boundaryValues(resolve(schema), seen);
  }
  if (schema.anyOf !== undefined && schema.properties === undefined)
    return schema.anyOf.flatMap((one) => boundaryValues(one, seen));
  return [
    ...OF_EACH_TYPE,
    ...(schema.enum ?? []),
    ...(is(schema, 'string') ? textValues(schema) : []),
    ...(is(schema, 'integer') ? numberValues(schema) : []),
    ...(is(schema, 'array') ? listValues(schema, seen) : []),
    ...(is(schema, 'object') ? objectValues(schema, seen) : []),
  ];
}

function is({ type }: Schema, name: string): boolean {
  return [type].flat().includes(name);
}

function textValues({ maxLength, pattern, format }: Schema): Json[] {
  const long =
    maxLength === undefined || maxLength > MAX_TEXT
      ? []
      : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '😀'.repeat(maxLength)];
  return [
    ...long,
    ...(pattern === undefined ? [] : TEXTS),
    ...(pattern?.includes('://') ? LINKS : []),
    ...(format === 'date-time' ? TIMES : []),
  ];
}

function numberValues({ minimum, maximum }: Schema): Json[] {
  return [
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
  ].filter(Number.isSafeInteger);
}

function listValues({ items = {}, maxItems }: Schema, seen: Set<string>): Json[] {
  const tooMany = maxItems === undefined ? [] : [Array<Json>(maxItems + 1).fill(sample(items))];
  return [...tooMany, ...boundaryValues(items, seen).map((item) => [item])];
}

function objectValues({ properties = {}, required = [] }: Schema, seen: Set<string>): Json[] {
  const members = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {})]));
  return [
    ...required.map((left_out) => members(required.filter((name) => name !== left_out))),
    ...Object.entries(properties).flatMap(([name, member]) =>
      boundaryValues(member, seen).map((value) => ({ ...members(required), [name]: value })),
    ),
  ];
}

/** A valid value. */
function sample(schema: Schema): Json {
  const { enum: values, type, minimum = 1, required = [], properties = {}, pattern } = resolve(schema);
  if (values?.[0] !== undefined) return values[0];
  switch ([type].flat()[0]) {
    case 'string':
      return pattern?.includes('0-9') ? '5' : 'x';
    case 'integer':
      return Math.max(minimum, 1);
    case 'array':
      return [];
    default:
      return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
  }
}
