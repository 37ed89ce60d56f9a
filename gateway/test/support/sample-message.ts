import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';

type FieldSchema = MessageSchema['fields'][number];

/** A message of our contracts, by full name, with a value in each required field. */
export function sampleMessage(name: string): Record<string, unknown> {
  return messageOf(messageSchema(name), []);
}

function messageOf(schema: MessageSchema, enclosing: readonly MessageSchema[]): Record<string, unknown> {
  return Object.fromEntries(
    schema.fields.map((field) => {
      const value = fieldValue(field, [...enclosing, schema]);
      return [field.name, field.repeated ? [value].filter((item) => item !== null) : value];
    }),
  );
}

function fieldValue(field: FieldSchema, enclosing: readonly MessageSchema[]): unknown {
  // A message that contains itself ends here.
  if (field.message !== undefined)
    return enclosing.includes(field.message) ? null : messageOf(field.message, enclosing);
  if (field.optional) return null;
  switch (field.kind) {
    case 'string':
      return `a ${field.name}`;
    case 'snowflake':
      return '1001';
    case 'json':
      return '{}';
    case 'integer':
      return Math.max(field.min, 1);
    case 'boolean':
      return false;
    case 'bytes':
      return Buffer.from('bytes');
    default:
      return null;
  }
}
