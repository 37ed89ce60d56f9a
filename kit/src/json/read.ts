import { invalidForm, type Violation } from '../fault.ts';
import { isSnowflake } from '../snowflake.ts';
import { digitsOf, plainValue } from './exact-number.ts';
import { type FieldSchema, isNullable, type MessageSchema, messageSchema } from './schema.ts';

/** After this many violations reading stops: the answer must not outgrow the request. */
const MAX_VIOLATIONS = 100;
/** Maximum length of a field with format JSON, as text. */
const MAX_EMBEDDED_CHARACTERS = 64 * 1024;

export interface ReadResult<T> {
  /** The complete message; a field with a violation has its empty value. */
  readonly message: T;
  readonly violations: Violation[];
}

/** The form of the values: JSON, or text that is parsed by type (query parameters). */
type Notation = 'json' | 'text';

/**
 * Reads a JSON object as a message. Unknown members are ignored, a member of a wrong type is a violation at its path,
 * and null counts as absent. The fields in `skip` are left empty.
 */
export function readJson<T>(
  name: string,
  value: Readonly<Record<string, unknown>>,
  skip?: ReadonlySet<string>,
): ReadResult<T> {
  return readAs<T>(name, value, 'json', skip);
}

/** As `readJson`, for values that are all text, such as path and query parameters. */
export function readText<T>(
  name: string,
  value: Readonly<Record<string, string | undefined>>,
  skip?: ReadonlySet<string>,
): ReadResult<T> {
  return readAs<T>(name, value, 'text', skip);
}

function readAs<T>(
  name: string,
  value: Readonly<Record<string, unknown>>,
  notation: Notation,
  skip?: ReadonlySet<string>,
): ReadResult<T> {
  const violations: Violation[] = [];
  const message = readMessage(messageSchema(name), value, '', { notation, violations }, skip);
  return { message: message as T, violations };
}

interface Reading {
  readonly notation: Notation;
  readonly violations: Violation[];
}

function readMessage(
  schema: MessageSchema,
  value: Readonly<Record<string, unknown>>,
  prefix: string,
  reading: Reading,
  skip?: ReadonlySet<string>,
): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const field of schema.fields) {
    // In notation `text` the server itself passes the values, such as a header. In a body, the client chooses them.
    const isServerOnly = field.serverOnly && reading.notation === 'json';
    const skipped = isServerOnly || skip?.has(field.name) === true;
    const member = skipped || !Object.hasOwn(value, field.name) ? undefined : value[field.name];
    message[field.name] = skipped ? empty(field) : readField(field, member, prefix + field.name, reading);
  }
  return message;
}

function readField(field: FieldSchema, value: unknown, path: string, reading: Reading): unknown {
  if (isNullable(field) && value === null) return { value: null };
  if (value === undefined || value === null) {
    if (field.required) fail(reading, path, 'INVALID_FORMAT', 'This member is required.');
    return empty(field);
  }
  const [listField] = field.list ? (field.message?.fields ?? []) : [];
  if (listField !== undefined) return { [listField.name]: readField(listField, value, path, reading) };
  if (!field.repeated) return readValue(field, value, path, reading);
  if (!Array.isArray(value)) return wrongType(field, path, 'an array', reading);
  const items: unknown[] = [];
  const count = Math.min(value.length, field.itemsRead);
  for (let index = 0; index < count && reading.violations.length < MAX_VIOLATIONS; index++) {
    items.push(readValue(field, value[index], `${path}.${index}`, reading));
  }
  return items;
}

function isMessage(field: FieldSchema): boolean {
  return field.kind === 'message' || isNullable(field);
}

function readValue(field: FieldSchema, sent: unknown, path: string, reading: Reading): unknown {
  const value = plainValue(sent);
  switch (field.kind) {
    case 'string':
      return readString(field.decimalText ? (digitsOf(sent) ?? value) : value, path, reading);
    case 'nullable_string':
      return { value: readString(value, path, reading) };
    case 'snowflake':
      return readSnowflake(sent, path, reading);
    case 'nullable_snowflake':
      return { value: readSnowflake(sent, path, reading) };
    case 'boolean':
      return readBoolean(value, path, reading);
    case 'integer':
      return readInteger(field, value, path, reading);
    case 'number':
      return readNumber(value, path, reading);
    case 'nullable_integer':
      return { value: readInteger(field, value, path, reading) };
    case 'json':
      return readEmbedded(field, value, path, reading);
    case 'message':
      if (
        field.message === undefined ||
        typeof value !== 'object' ||
        value === null ||
        Array.isArray(value)
      ) {
        return wrongItem(field, path, 'an object', reading);
      }
      return readMessage(field.message, value as Record<string, unknown>, `${path}.`, reading);
    case 'bytes':
      return wrongType(field, path, 'left out', reading);
  }
}

/** A JSON value that the contract does not describe, as text. */
function readEmbedded(field: FieldSchema, value: unknown, path: string, reading: Reading): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrongItem(field, path, 'an object', reading);
  const text = jsonOf(value);
  return text !== undefined && text.length <= MAX_EMBEDDED_CHARACTERS
    ? text
    : wrongItem(field, path, 'shorter', reading);
}

/** Undefined if it is nested too deep to be written. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Refuses NUL, which cannot be stored, and replaces lone surrogates by U+FFFD. */
function readString(value: unknown, path: string, reading: Reading): string {
  if (typeof value !== 'string') {
    fail(reading, path, 'INVALID_FORMAT', 'Must be a string.');
    return '';
  }
  if (value.includes('\0')) {
    fail(reading, path, 'INVALID_FORMAT', 'Must be Unicode text without NUL.');
    return '';
  }
  return value.toWellFormed();
}

/** A string, or an integer with all its digits. */
function readSnowflake(value: unknown, path: string, reading: Reading): string {
  const digits = typeof value === 'string' ? value : digitsOf(value);
  if (digits !== undefined && isSnowflake(digits)) return digits;
  const message = 'Must be an ID: a decimal number of up to 64 bits.';
  fail(reading, path, 'INVALID_SNOWFLAKE_FORMAT', message);
  return '';
}

function readBoolean(value: unknown, path: string, reading: Reading): boolean {
  if (typeof value === 'boolean') return value;
  if (reading.notation === 'text' && (value === 'true' || value === 'false')) return value === 'true';
  fail(reading, path, 'INVALID_FORMAT', 'Must be true or false.');
  return false;
}

/** The digits of an integer, which JSON may also carry as a string. */
const DECIMAL = /^(?:0|-?[1-9][0-9]{0,18})$/;

function readInteger(field: FieldSchema, value: unknown, path: string, reading: Reading): number {
  const { min, max } = field;
  const text = reading.notation === 'text' ? /^-?[0-9]{1,20}$/ : field.decimalText ? DECIMAL : undefined;
  const number = typeof value === 'string' && text?.test(value) ? Number(value) : value;
  if (reading.notation === 'json' && typeof number !== 'number') {
    fail(reading, path, 'INVALID_FORMAT', 'Must be a whole number.');
    return 0;
  }
  if (!Number.isInteger(number) || (number as number) < min || (number as number) > max) {
    fail(reading, path, 'VALUE_MUST_BE_INTEGER_IN_RANGE', 'Must be a whole number in range.');
    return 0;
  }
  return number as number;
}

function readNumber(value: unknown, path: string, reading: Reading): number {
  const number = reading.notation === 'text' && value !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  fail(reading, path, 'INVALID_FORMAT', 'Must be a number.');
  return 0;
}

function wrongType(field: FieldSchema, path: string, expected: string, reading: Reading): unknown {
  fail(reading, path, 'INVALID_FORMAT', `Must be ${expected}.`);
  return empty(field);
}

/** Like `wrongType`, for a single value, which may be an item of an array. */
function wrongItem(field: FieldSchema, path: string, expected: string, reading: Reading): unknown {
  const emptyValue = wrongType(field, path, expected, reading);
  if (!field.repeated) return emptyValue;
  return field.message === undefined
    ? ''
    : readMessage(field.message, {}, '', { ...reading, violations: [] });
}

function fail({ violations }: Reading, path: string, code: string, message: string): void {
  if (violations.length < MAX_VIOLATIONS) violations.push({ path, code, message });
}

/** The value of an absent field in generated code. */
function empty(field: FieldSchema): unknown {
  if (field.repeated) return [];
  if (field.optional || isMessage(field)) return null;
  if (field.kind === 'boolean') return false;
  if (field.kind === 'integer' || field.kind === 'number') return 0;
  return field.kind === 'bytes' ? new Uint8Array() : '';
}

/** @throws INVALID_FORM_BODY if a reading found violations */
export function requireValid<T>({ message, violations }: ReadResult<T>): T {
  if (violations.length > 0) throw invalidForm(violations);
  return message;
}
