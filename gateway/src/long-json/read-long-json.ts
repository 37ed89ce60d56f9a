import type { Violation } from '@gatehouse/kit/fault';
import { findMembers, type MemberRange, messageSchema, parseExact, readJson } from '@gatehouse/kit/json';
import { encodeMessage, type MessageType } from '@gatehouse/kit/rpc/messages/codec';
import { SERVICES } from '../service-definitions.ts';

/** A long body, as the thread receives it. */
export interface LongJsonJob {
  readonly id: number;
  readonly body: Uint8Array;
  /** The full name of the request message that its members fill. */
  readonly message: string;
  /** Fields of that message that the body does not fill. */
  readonly skip: readonly string[];
  /** Members whose values are returned too, whether the body is valid or not. */
  readonly members: readonly string[];
}

export interface LongJsonResult {
  readonly id: number;
  /** The violations of the body. If there are any, `encoded` has no meaning. */
  readonly violations: readonly Violation[];
  readonly encoded: Uint8Array;
  /** The wanted members of the body with their values; a non-empty array or object becomes an empty one. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** What the thread sends once its modules are loaded. */
export const READY = 'ready';

/** A member with more values is refused before it is parsed: no valid body comes near this number. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 64;
/** The text of a wanted member is cut to this length. No text that limits compare or count is as long. */
const MAX_TEXT = 4_096;

/**
 * Reads a JSON body as a request message. It scans every byte, but parses only the members that the message has. A
 * member of the wrong type is a violation, and is not parsed.
 *
 * @throws INVALID_FORM_BODY if the body is not a JSON object
 */
export function readLongJson({ id, body, message, skip, members }: LongJsonJob): LongJsonResult {
  const { fields } = messageSchema(message);
  const skipped = new Set(skip);
  const containers = new Set(
    fields
      .filter(({ kind, repeated }) => repeated || kind === 'message' || kind === 'json')
      .map(({ name }) => name),
  );
  const fieldNames = fields.map(({ name }) => name).filter((name) => !skipped.has(name));
  const ranges = findMembers(body, new Set([...fieldNames, ...members]));
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);

  const violations: Violation[] = [];
  const object: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const range = ranges.get(name);
    if (range === undefined) continue;
    if (containers.has(name) && isTooMuch(range)) violations.push(tooMuch(name));
    else object[name] = valueAt(text, range, containers.has(name));
  }
  const result = readJson<Record<string, unknown>>(message, object, skipped);
  violations.push(...result.violations);
  const encoded =
    violations.length > 0 ? new Uint8Array() : encodeMessage(requestType(message), result.message);
  return { id, violations, encoded, members: valuesOf(members, ranges, text) };
}

function valueAt(text: Buffer, { from, to, depth }: MemberRange, isContainer: boolean): unknown {
  if (depth === 0 || isContainer) return parseExact(text.toString('utf8', from, to));
  return text[from] === '['.charCodeAt(0) ? [] : {};
}

function valuesOf(
  members: readonly string[],
  ranges: ReadonlyMap<string, MemberRange>,
  text: Buffer,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of members) {
    const range = ranges.get(name);
    if (range === undefined) continue;
    const value = valueAt(text, range, false);
    values[name] = typeof value === 'string' ? value.slice(0, MAX_TEXT) : value;
  }
  return values;
}

function isTooMuch({ values, depth }: MemberRange): boolean {
  return values > MAX_VALUES || depth > MAX_DEPTH;
}

function tooMuch(path: string): Violation {
  return { path, code: 'INVALID_FORMAT', message: 'Holds too many values, or too many in each other.' };
}

function requestType(message: string): MessageType<Record<string, unknown>> {
  for (const { fullName, methods } of Object.values(SERVICES)) {
    const packagePrefix = `${fullName.slice(0, fullName.lastIndexOf('.'))}.`;
    const method = Object.values(methods).find(({ name }) => `${packagePrefix}${name}Request` === message);
    if (method !== undefined) return method.requestType as MessageType<Record<string, unknown>>;
  }
  throw new Error(`no RPC takes ${message}`);
}
