import type { FieldSchema } from './field-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { jsonValidator } from './json-validator.ts';
import type { SchemaRule } from './schema-rules.ts';
import { SNOWFLAKES } from './snowflakes.ts';

type RuleName = keyof SchemaRule;

const TEXT_RULES: readonly RuleName[] = ['min_length', 'max_length', 'pattern'];
const NUMBER_RULES: readonly RuleName[] = ['min', 'max'];
const LIST_RULES: readonly RuleName[] = ['min_items', 'max_items'];
const VALUE_RULES = ['default', 'example'] as const;
const BOUNDS = [
  ['min_length', 'max_length'],
  ['min', 'max'],
  ['min_items', 'max_items'],
] as const;
const FORMATS: ReadonlySet<string> = new Set([
  ...['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'regex', 'time', 'uri', 'uuid'],
  ...['any', 'password', 'snowflake'],
]);

/** Contradictions of a rule to the type of its field, and within itself. */
export function ruleProblems(field: FieldSchema, rule: SchemaRule): string[] {
  return [
    ...misplaced(field, rule),
    ...reversedBounds(rule),
    ...patternProblems(rule),
    ...formatProblems(field, rule),
    ...readProblems(field, rule),
    ...textsThatAreNoJson(rule),
  ];
}

function misplaced(field: FieldSchema, rule: SchemaRule): string[] {
  const isText = field.kind === 'string' || field.kind === 'nullable_string';
  const isNumber = /integer|number/.test(field.kind) || (isText && field.decimalText);
  const wrong = (names: readonly RuleName[], what: string) =>
    names
      .filter((name) => rule[name] !== undefined)
      .map((name) => `${name} is a rule of ${what}, and the field is ${kindOf(field.kind)}`);
  return [
    ...(isText ? [] : wrong(TEXT_RULES, 'texts')),
    ...(isNumber ? [] : wrong(NUMBER_RULES, 'numbers')),
    ...(field.repeated || field.list ? [] : wrong(LIST_RULES, 'lists')),
  ];
}

function kindOf(kind: FieldSchema['kind']): string {
  const name = kind.replace('_', ' ');
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function reversedBounds(rule: SchemaRule): string[] {
  return BOUNDS.flatMap(([least, most]) => {
    const [from, to] = [rule[least], rule[most]];
    return from !== undefined && to !== undefined && from > to ? [`${least} is above ${most}`] : [];
  });
}

function patternProblems({ pattern }: SchemaRule): string[] {
  if (pattern === undefined) return [];
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (error) {
    return [`the pattern does not compile: ${error instanceof Error ? error.message : error}`];
  }
}

function formatProblems({ kind }: FieldSchema, { format }: SchemaRule): string[] {
  if (format === undefined) return [];
  if (!FORMATS.has(format)) return [`the format ${format} is unknown`];
  const belongs = format === 'any' ? kind === 'json' : kind === 'string' || kind === 'nullable_string';
  return belongs ? [] : [`the format ${format} does not fit ${kindOf(kind)}`];
}

/** Further items are not read, so that the owner of the field cannot refuse or take them. */
function readProblems({ itemsRead }: FieldSchema, { max_items = 0 }: SchemaRule): string[] {
  return max_items > itemsRead - 1 ? [`max_items is above ${itemsRead - 1}, the limit in (kit.v1.json)`] : [];
}

function textsThatAreNoJson(rule: SchemaRule): string[] {
  const texts = VALUE_RULES.map((name) => [name, rule[name]] as const);
  const values = [rule.values ?? []].flat().map((text) => ['values', text] as const);
  return [...texts, ...values].flatMap(([name, text]) =>
    text === undefined || isJson(text) ? [] : [`${name}: ${text} is not JSON`],
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const validateValue = jsonValidator({ schemas: SNOWFLAKES });

/**
 * Values of a rule that its own schema refuses.
 *
 * @param schema the schema of one value
 */
export function valueProblems(rule: SchemaRule, schema: JsonSchema): string[] {
  const { enum: _, ...ofValues } = schema;
  const wrong = (name: string, text: string | undefined, by: JsonSchema) => {
    const why = text === undefined ? undefined : validateValue(by, JSON.parse(text));
    return why === undefined ? [] : [`the ${name} ${text} ${why}`];
  };
  return [
    ...[rule.values ?? []].flat().flatMap((text) => wrong('value', text, ofValues)),
    ...VALUE_RULES.flatMap((name) => wrong(name, rule[name], schema)),
  ];
}
