import type { MessageSchema } from '@gatehouse/kit/json';
import { type JsonSchema, ref } from './json-schema.ts';
import type { SchemaRule } from './schema-rules.ts';

export type FieldSchema = MessageSchema['fields'][number];

/** Requests and responses differ in what is required, and in null. */
export type Direction = 'input' | 'output';

/** The schema of one value of a field that holds no message. */
export function valueSchema(field: FieldSchema, rule: SchemaRule, direction: Direction): JsonSchema {
  const more = { ...valuesOf(rule), ...defaultOf(rule), ...exampleOf(rule) };
  switch (field.kind) {
    case 'snowflake':
    case 'nullable_snowflake':
      return { ...ref(direction === 'input' ? 'SnowflakeInput' : 'Snowflake'), ...more };
    case 'string':
    case 'nullable_string': {
      if (rule.format === 'snowflake') return { ...ref('Snowflake'), ...more };
      const type = field.decimalText && direction === 'input' ? ['string', 'number'] : 'string';
      return { type, ...textRules(rule), ...more };
    }
    case 'integer':
    case 'nullable_integer':
      return { ...integer(field, rule, direction), ...more };
    case 'number':
      return { type: 'number', ...range(rule), ...more };
    case 'boolean':
      return { type: 'boolean', ...more };
    case 'json':
      return rule.format === 'any' ? more : { type: 'object', ...more };
    case 'bytes':
    case 'message':
      throw new Error(`${field.name}: ${field.kind} has no schema of its own`);
  }
}

function integer(field: FieldSchema, rule: SchemaRule, direction: Direction): JsonSchema {
  if (direction === 'output') return { type: 'integer', ...range(rule) };
  // Values leave nothing for the bounds of the type to say.
  const bounds = range(rule.values === undefined ? { min: field.min, max: field.max, ...rule } : rule);
  if (!field.decimalText) return { type: 'integer', ...bounds };
  const digits = String(bounds.maximum).length;
  return { type: ['integer', 'string'], ...bounds, pattern: `^(0|[1-9][0-9]{0,${digits - 1}})$` };
}

function range({ min, max }: SchemaRule): JsonSchema {
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
}

function textRules({ min_length, max_length, pattern, format }: SchemaRule): JsonSchema {
  return {
    ...(format !== undefined && { format }),
    ...(min_length !== undefined && { minLength: min_length }),
    ...(max_length !== undefined && { maxLength: max_length }),
    ...(pattern !== undefined && { pattern }),
  };
}

function valuesOf({ values }: SchemaRule): JsonSchema {
  return values === undefined ? {} : { enum: [values].flat().map((value) => JSON.parse(value)) };
}

function defaultOf(rule: SchemaRule): JsonSchema {
  return rule.default === undefined ? {} : { default: JSON.parse(rule.default) };
}

function exampleOf({ example }: SchemaRule): JsonSchema {
  return example === undefined ? {} : { examples: [JSON.parse(example)] };
}
