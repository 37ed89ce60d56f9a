import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';

type FieldSchema = MessageSchema['fields'][number];

/** A message of our contracts, by full name, with a value in each required field. */
export function sampleMessage(name: string): Record<string, unknown> {
  return sample(messageSchema(name), []);
}

function sample(schema: MessageSchema, seen: readonly MessageSchema[]): Record<string, unknown> {
  return Object.fromEntries(
    schema.fields.map((field) => {
      const one = sampleOf(field, [...seen, schema]);
      return [field.name, field.repeated ? [one].filter((item) => item !== null) : one];
    }),
  );
}

function sampleOf(field: FieldSchema, seen: readonly MessageSchema[]): unknown {
  // Recursion ends here.
  if (field.message !== undefined) return seen.includes(field.message) ? null : sample(field.message, seen);
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
