import { nameOf, type Schema } from './openapi.ts';

/** The longest pattern that is shown. */
const MAX_PATTERN = 40;

/** A schema's type in words: `array of Role`, `string or null`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return typeNameOf(schema.$ref);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return unique(alternatives.map(typeText)).join(' or ');
  if (schema.allOf?.[0] !== undefined) return typeText(schema.allOf[0]);
  const types = schema.type === undefined ? ['any'] : [schema.type].flat();
  const inWords = types.map((type) =>
    type === 'array' && schema.items ? `array of ${typeText(schema.items)}` : type,
  );
  return inWords.join(' or ');
}

function typeNameOf(ref: string): string {
  const name = nameOf(ref);
  return name === 'Snowflake' ? 'snowflake' : name;
}

/** The rules of a schema that its type does not say, each as a short text. */
export function boundsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems } = schema;
  return [
    schema.const === undefined ? undefined : `always ${json(schema.const)}`,
    schema.enum === undefined ? undefined : enumText(schema.enum),
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(safe(schema.minimum), safe(schema.maximum), ''),
    schema.uniqueItems === true ? 'no item twice' : undefined,
    schema.format,
    shortPattern(schema.pattern),
    schema.default === undefined ? undefined : `default: ${json(schema.default)}`,
  ].filter((bound) => bound !== undefined);
}

/** A long pattern would not help readers: the description says what it means. */
function shortPattern(pattern: string | undefined): string | undefined {
  return pattern === undefined || pattern.length > MAX_PATTERN ? undefined : `matches ${pattern}`;
}

function enumText(values: readonly unknown[]): string {
  return values.length === 1 ? `always ${json(values[0])}` : `one of ${values.map(json).join(', ')}`;
}

/** The bounds of every JSON number say nothing. */
function safe(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return `at least ${from} ${unit}`.trim();
  if (from === undefined) return `at most ${to} ${unit}`.trim();
  return (from === to ? `${from} ${unit}` : `${from}–${to} ${unit}`).trim();
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
