import type { Contracts, Field, Fields } from './contracts.ts';
import { suggestion } from './find-name.ts';
import { UsageError } from './usage-error.ts';

/**
 * A message of JSON text, as proto-loader takes it. It would pass over fields that it does not know and make something
 * of values of another type, so both are refused here, all at once.
 *
 * @param message its full name
 * @param what the text is, for the error
 * @throws UsageError naming every problem
 */
export function readMessage(contracts: Contracts, message: string, text: string, what: string): object {
  const problems: string[] = [];
  const value = parse(text, what);
  check(contracts, message, value, '', problems);
  if (problems.length > 0)
    throw new UsageError(
      `${what} is no ${message}:\n${problems.map((problem) => `  ${problem}\n`).join('')}`,
    );
  return value as object; // checked: an object that has the message's fields
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is no JSON: ${(error as Error).message}`);
  }
}

function check(
  contracts: Contracts,
  message: string,
  value: unknown,
  path: string,
  problems: string[],
): void {
  if (!isObject(value)) {
    problems.push(`${path || 'it'} must be an object, ${message}`);
    return;
  }
  const fields: Fields = contracts.messages.get(message) ?? new Map();
  for (const [name, given] of Object.entries(value)) {
    const field = fields.get(name);
    const at = path === '' ? name : `${path}.${name}`;
    if (field === undefined)
      problems.push(`${at}: ${message} has no such field.${suggestion(name, fields.keys())}`);
    else if (given !== null) checkField(contracts, field, given, at, problems);
  }
}

function checkField(
  contracts: Contracts,
  field: Field,
  value: unknown,
  path: string,
  problems: string[],
): void {
  const checkAt = (one: unknown, at: string) => checkValue(contracts, field, one, at, problems);
  switch (field.kind) {
    case 'single':
      checkAt(value, path);
      return;
    case 'repeated':
      if (Array.isArray(value)) for (const [index, one] of value.entries()) checkAt(one, `${path}.${index}`);
      else problems.push(`${path} must be an array`);
      return;
    case 'map':
      if (isObject(value)) for (const [key, one] of Object.entries(value)) checkAt(one, `${path}.${key}`);
      else problems.push(`${path} must be an object`);
  }
}

function checkValue(
  contracts: Contracts,
  { type, typeName = '' }: Field,
  value: unknown,
  path: string,
  problems: string[],
): void {
  if (type === 'TYPE_MESSAGE') {
    check(contracts, typeName, value, path, problems);
    return;
  }
  const expected =
    type === 'TYPE_ENUM' ? wrongEnum(contracts.enums.get(typeName) ?? [], value) : wrongScalar(type, value);
  if (expected !== undefined) problems.push(`${path} must be ${expected}`);
}

function wrongEnum(names: readonly string[], value: unknown): string | undefined {
  return names.some((name) => name === value) ? undefined : `one of ${names.join(', ')}`;
}

/** What it must be, if it is not. */
function wrongScalar(type: string, value: unknown): string | undefined {
  const range = INTEGERS[type];
  if (range !== undefined) return isInteger(value, range) ? undefined : `a whole number, ${type.slice(5)}`;
  switch (type) {
    case 'TYPE_STRING':
      return typeof value === 'string' ? undefined : 'a string';
    case 'TYPE_BOOL':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'TYPE_BYTES':
      return typeof value === 'string' && BASE64.test(value) ? undefined : 'base64, a string';
    default: // float and double
      return typeof value === 'number' ? undefined : 'a number';
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Range = readonly [least: bigint, most: bigint];
const I32: Range = [-(2n ** 31n), 2n ** 31n - 1n];
const U32: Range = [0n, 2n ** 32n - 1n];
const I64: Range = [-(2n ** 63n), 2n ** 63n - 1n];
const U64: Range = [0n, 2n ** 64n - 1n];
const INTEGERS: Readonly<Record<string, Range>> = {
  TYPE_INT32: I32,
  TYPE_SINT32: I32,
  TYPE_SFIXED32: I32,
  TYPE_UINT32: U32,
  TYPE_FIXED32: U32,
  TYPE_INT64: I64,
  TYPE_SINT64: I64,
  TYPE_SFIXED64: I64,
  TYPE_UINT64: U64,
  TYPE_FIXED64: U64,
};

/** As a number, which must be exact, or as decimal text. */
function isInteger(value: unknown, [least, most]: Range): boolean {
  if (!Number.isSafeInteger(value) && !(typeof value === 'string' && /^-?[0-9]{1,20}$/.test(value)))
    return false;
  const number = BigInt(value as number | string); // one of the two, as is checked above
  return number >= least && number <= most;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
