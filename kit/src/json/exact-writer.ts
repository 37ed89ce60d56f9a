import { type FieldSchema, type MessageSchema, messageSchema } from './schema.ts';

export interface ExactText {
  readonly text: string;
  /** False: a member was missing or of another type, and the text has its empty value. */
  readonly whole: boolean;
}

type Write = (value: unknown, written: Written) => string;

interface Written {
  whole: boolean;
}

const writers = new Map<MessageSchema, Write>();

/**
 * Makes the function that writes any object as JSON of a message, as jsonWriter writes the message itself: the message's
 * fields alone, in their order, whatever else the object has. For what another version may have written.
 *
 * @throws at once for a message with fields that only requests have
 */
export function exactJsonWriter(name: string): (value: object) => ExactText {
  const write = messageWriter(messageSchema(name));
  return (value) => {
    const written = { whole: true };
    const text = write(value, written);
    return { text, whole: written.whole };
  };
}

function messageWriter(schema: MessageSchema): Write {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const fields: FieldWriter[] = [];
  const write: Write = (value, written) => {
    const object = isObject(value) ? value : wrong(written, NOTHING);
    let text = '';
    for (const { name, start, omit, text: textOf } of fields) {
      const member = object[name];
      if (omit && isAbsent(member)) continue;
      text += (text === '' ? '{' : ',') + start + textOf(member, written);
    }
    return text === '' ? '{}' : `${text}}`;
  };
  writers.set(schema, write); // before its fields: a message may hold itself
  for (const field of schema.fields) fields.push(fieldWriter(field));
  return write;
}

interface FieldWriter {
  readonly name: string;
  /** `"name":` */
  readonly start: string;
  readonly omit: boolean;
  readonly text: Write;
}

function fieldWriter(field: FieldSchema): FieldWriter {
  const { name, omitAbsent: omit } = field;
  return { name, start: `${JSON.stringify(name)}:`, omit, text: presenceWriter(field, valueWriter(field)) };
}

function presenceWriter(field: FieldSchema, write: Write): Write {
  if (field.repeated) return listWriter(write);
  if (!field.optional && field.kind !== 'message') return write;
  return (value, written) => (value === null || value === undefined ? 'null' : write(value, written));
}

function listWriter(write: Write): Write {
  return (value, written) => {
    if (value === null || value === undefined) return '[]';
    const items: readonly unknown[] = Array.isArray(value) ? value : wrong(written, []);
    return `[${items.map((item) => write(item, written)).join(',')}]`;
  };
}

function valueWriter(field: FieldSchema): Write {
  if (field.nullIfEmpty) throw new Error(`${field.name}: a text that may be null has no exact form`);
  switch (field.kind) {
    case 'string':
    case 'snowflake':
      return (value, written) => (typeof value === 'string' ? JSON.stringify(value) : wrong(written, '""'));
    case 'integer':
      return (value, written) => (Number.isSafeInteger(value) ? String(value) : wrong(written, '0'));
    case 'number':
      return (value, written) => (Number.isFinite(value) ? String(value) : wrong(written, '0'));
    case 'boolean':
      return (value, written) => (typeof value === 'boolean' ? String(value) : wrong(written, 'false'));
    case 'message':
      if (field.message !== undefined && !field.list) return messageWriter(field.message);
  }
  throw new Error(`${field.name}: a field of kind ${field.kind} has no exact form`);
}

const NOTHING: Readonly<Record<string, unknown>> = {};

function wrong<T>(written: Written, empty: T): T {
  written.whole = false;
  return empty;
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
