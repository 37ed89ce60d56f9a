import { type FieldSchema, isNullable, type MessageSchema, messageSchema } from './schema.ts';

export interface ExactText {
  readonly text: string;
  /** False if a member was missing or of another type; the text then has its empty value. */
  readonly complete: boolean;
}

interface Completeness {
  complete: boolean;
}

/** Converts a value to one that JSON.stringify writes in its JSON form. */
type Converter = (value: unknown, result: Completeness) => unknown;

/**
 * Makes the function that writes a message, or one member of it, as JSON: with the field names of the contract,
 * absent fields as null or, with `omit_absent`, left out.
 */
export function jsonWriter<T extends object>(
  name: string,
  member?: keyof T & string,
): (message: T) => string {
  const schema = messageSchema(name);
  const result = { complete: true }; // never read: a typed message is complete
  if (member === undefined) {
    const convert = messageConverter(schema);
    return (message) => JSON.stringify(convert(message, result));
  }
  const field = schema.fields.find((one) => one.name === member);
  if (field === undefined) throw new Error(`${name} has no field ${member}`);
  const convert = itemsConverter(field, valueConverter(field));
  return (message) => JSON.stringify(convert(message[member], result));
}

/**
 * Makes the function that writes any object as JSON of a message: only the message's fields, in their order, whatever
 * else the object has. For values that another version may have written.
 *
 * @throws at once for a message with fields that only requests have
 */
export function exactJsonWriter(name: string): (value: object) => ExactText {
  const convert = exactMessageConverter(messageSchema(name));
  return (value) => {
    const result = { complete: true };
    const text = JSON.stringify(convert(value, result));
    return { text, complete: result.complete };
  };
}

const converters = new Map<MessageSchema, Converter>();
const exactConverters = new Map<MessageSchema, Converter>();

function messageConverter(schema: MessageSchema): Converter {
  const known = converters.get(schema);
  if (known !== undefined) return known;
  if (isPlain(schema)) return identity;
  const convertedMembers: [string, Converter][] = [];
  /** Copies the message, and converts only the members whose JSON form differs from their value. */
  const convert: Converter = (message, result) => {
    const json: Record<string, unknown> = { ...(message as Record<string, unknown>) };
    for (const [name, member] of convertedMembers) json[name] = member(json[name], result);
    return json;
  };
  converters.set(schema, convert); // before its fields, because a message may contain itself
  for (const field of schema.fields)
    if (field.optional || !isPlainField(field))
      convertedMembers.push([field.name, memberConverter(field, valueConverter(field))]);
  return convert;
}

function exactMessageConverter(schema: MessageSchema): Converter {
  const known = exactConverters.get(schema);
  if (known !== undefined) return known;
  const members: [string, Converter][] = [];
  const convert: Converter = (value, result) => {
    const object = isObject(value) ? value : incomplete(result, NO_MEMBERS);
    const json: Record<string, unknown> = {};
    for (const [name, member] of members) json[name] = member(object[name], result);
    return json;
  };
  exactConverters.set(schema, convert); // before its fields, because a message may contain itself
  for (const field of schema.fields) {
    const convert = exactValueConverter(field);
    const needsValue = !(field.optional || field.repeated || field.omitAbsent || field.kind === 'message');
    members.push([field.name, needsValue ? convert : memberConverter(field, convert)]);
  }
  return convert;
}

const identity: Converter = (value) => value;

/** Whether JSON.stringify of the generated object is its JSON form already. */
function isPlain(schema: MessageSchema, ancestors: ReadonlySet<MessageSchema> = new Set()): boolean {
  if (ancestors.has(schema)) return true;
  const inner = new Set([...ancestors, schema]);
  return schema.fields.every((field) => isPlainField(field, inner));
}

function isPlainField(field: FieldSchema, ancestors?: ReadonlySet<MessageSchema>): boolean {
  return (
    !field.omitAbsent &&
    !field.nullIfEmpty &&
    !isNullable(field) &&
    field.kind !== 'bytes' &&
    field.kind !== 'json' &&
    (field.message === undefined || isPlain(field.message, ancestors))
  );
}

/** Writes a member that may be absent. Undefined values are left out. */
function memberConverter(field: FieldSchema, convert: Converter): Converter {
  const { omitAbsent, repeated } = field;
  const absent = omitAbsent || isNullable(field) ? undefined : repeated ? [] : null;
  const items = itemsConverter(field, convert);
  return (value, result) => {
    if (value === null || value === undefined) return absent;
    if (omitAbsent && repeated && (value as unknown[]).length === 0) return absent;
    return items(value, result);
  };
}

function itemsConverter({ repeated }: FieldSchema, convert: Converter): Converter {
  if (!repeated) return convert;
  return (value, result) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : incomplete(result, []);
    return convert === identity ? items : items.map((item) => convert(item, result));
  };
}

function valueConverter(field: FieldSchema): Converter {
  switch (field.kind) {
    case 'message':
      return field.message === undefined ? identity : orNull(messageConverter(field.message));
    case 'nullable_string':
    case 'nullable_snowflake':
    case 'nullable_integer':
      return orNull((value) => (value as { value?: unknown }).value ?? null);
    case 'bytes':
      return orNull((value) => Buffer.from(value as Uint8Array).toString('base64'));
    case 'json':
      return orNull((value) => JSON.parse(value as string));
    default:
      return field.nullIfEmpty ? (value) => value || null : identity;
  }
}

function orNull(convert: Converter): Converter {
  if (convert === identity) return identity;
  return (value, result) => (value === null || value === undefined ? null : convert(value, result));
}

function exactValueConverter(field: FieldSchema): Converter {
  if (field.nullIfEmpty) throw new Error(`${field.name}: a text that may be null has no exact form`);
  switch (field.kind) {
    case 'string':
    case 'snowflake':
      return (value, result) => (typeof value === 'string' ? value : incomplete(result, ''));
    case 'integer':
      return (value, result) => (Number.isSafeInteger(value) ? value : incomplete(result, 0));
    case 'number':
      return (value, result) => (Number.isFinite(value) ? value : incomplete(result, 0));
    case 'boolean':
      return (value, result) => (typeof value === 'boolean' ? value : incomplete(result, false));
    case 'message':
      if (field.message !== undefined && !field.list) return exactMessageConverter(field.message);
  }
  throw new Error(`${field.name}: a field of kind ${field.kind} has no exact form`);
}

const NO_MEMBERS: Readonly<Record<string, unknown>> = {};

function incomplete<T>(result: Completeness, empty: T): T {
  result.complete = false;
  return empty;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
