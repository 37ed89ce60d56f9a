import { type FieldSchema, isNullable, type MessageSchema, messageSchema } from './schema.ts';

type Plain = (value: unknown) => unknown;

const plainers = new Map<MessageSchema, Plain>();

/**
 * Makes the function that writes a message, or one member of it, as JSON: field names as they are,
 * absent fields null or, with `omit_absent`, left out.
 */
export function jsonWriter<T extends object>(
  name: string,
  member?: keyof T & string,
): (message: T) => string {
  const schema = messageSchema(name);
  if (member === undefined) {
    const plain = plainMessage(schema);
    return (message) => JSON.stringify(plain(message));
  }
  const field = schema.fields.find((one) => one.name === member);
  if (field === undefined) throw new Error(`${name} has no field ${member}`);
  return (message) => JSON.stringify(plainField(field, message[member]));
}

function plainMessage(schema: MessageSchema): Plain {
  let plain = plainers.get(schema);
  if (plain === undefined) {
    plain = isPlain(schema) ? (message) => message : copier(schema);
    plainers.set(schema, plain);
  }
  return plain;
}

/** Whether JSON.stringify of the generated object is the JSON already. */
function isPlain(schema: MessageSchema, within: ReadonlySet<MessageSchema> = new Set()): boolean {
  if (within.has(schema)) return true;
  const inner = new Set([...within, schema]);
  return schema.fields.every((field) => isPlainField(field, inner));
}

function isPlainField(field: FieldSchema, within?: ReadonlySet<MessageSchema>): boolean {
  return (
    !field.omitAbsent &&
    !field.nullIfEmpty &&
    !isNullable(field) &&
    field.kind !== 'bytes' &&
    field.kind !== 'json' &&
    (field.message === undefined || isPlain(field.message, within))
  );
}

/** A copy of the object, changed in those members alone whose JSON is not theirs already. */
function copier(schema: MessageSchema): Plain {
  const changed = schema.fields.filter((field) => field.optional || !isPlainField(field));
  return (message) => {
    const json: Record<string, unknown> = { ...(message as Record<string, unknown>) };
    for (const field of changed) {
      const { name, omitAbsent } = field;
      const value = json[name];
      if (!isAbsent(field, value)) json[name] = plainField(field, value);
      else json[name] = omitAbsent || isNullable(field) ? undefined : null; // what is undefined is left out
    }
    return json;
  };
}

function isAbsent(field: FieldSchema, value: unknown): boolean {
  if (field.repeated) return field.omitAbsent && (value as unknown[]).length === 0;
  return value === null || value === undefined;
}

function plainField(field: FieldSchema, value: unknown): unknown {
  return field.repeated
    ? (value as unknown[]).map((item) => plainValue(field, item))
    : plainValue(field, value);
}

function plainValue(field: FieldSchema, value: unknown): unknown {
  if (value === null || value === undefined || (field.nullIfEmpty && value === '')) return null;
  switch (field.kind) {
    case 'message':
      return field.message === undefined ? value : plainMessage(field.message)(value);
    case 'nullable_string':
    case 'nullable_snowflake':
    case 'nullable_integer':
      return (value as { value?: unknown }).value ?? null;
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString('base64');
    case 'json':
      return JSON.parse(value as string);
    default:
      return value;
  }
}
