import { type FieldSchema, type MessageSchema, messageSchema } from './schema.ts';

type Writer = (message: Readonly<Record<string, unknown>>) => unknown;

const writers = new Map<MessageSchema, Writer>();

/** A message's JSON: field names as they are, absent fields null or, with `omit_absent`, left out. */
export function writeJson(name: string, message: object): string {
  return JSON.stringify(writer(messageSchema(name))(message as Record<string, unknown>));
}

function writer(schema: MessageSchema): Writer {
  let write = writers.get(schema);
  if (write === undefined) {
    write = isPlain(schema) ? (message) => message : copier(schema);
    writers.set(schema, write);
  }
  return write;
}

/** Whether JSON.stringify of the generated object is the JSON already. */
function isPlain(schema: MessageSchema, within: ReadonlySet<MessageSchema> = new Set()): boolean {
  if (within.has(schema)) return true;
  const inner = new Set([...within, schema]);
  return schema.fields.every(
    (field) =>
      !field.omitAbsent &&
      field.kind !== 'nullable_string' &&
      field.kind !== 'bytes' &&
      (field.message === undefined || isPlain(field.message, inner)),
  );
}

function copier(schema: MessageSchema): Writer {
  return (message) => {
    const json: Record<string, unknown> = {};
    for (const field of schema.fields) {
      const value = message[field.name];
      if (value !== null && value !== undefined) json[field.name] = writeField(field, value);
      else if (!field.omitAbsent && field.kind !== 'nullable_string') json[field.name] = null;
    }
    return json;
  };
}

function writeField(field: FieldSchema, value: unknown): unknown {
  if (field.repeated) return (value as unknown[]).map((item) => writeValue(field, item));
  return writeValue(field, value);
}

function writeValue(field: FieldSchema, value: unknown): unknown {
  switch (field.kind) {
    case 'message':
      return field.message === undefined ? value : writer(field.message)(value as Record<string, unknown>);
    case 'nullable_string':
      return (value as { value?: string | null }).value ?? null;
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString('base64');
    default:
      return value;
  }
}
