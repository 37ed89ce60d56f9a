import { digitsOf, plainValue } from '@gatehouse/kit/json';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';

/** A JSON object, with members of any type. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The value at a path of members. Undefined for inherited members, and for members of arrays and non-objects.
 */
export function valueAt(from: unknown, ...path: readonly string[]): unknown {
  return plainValue(memberAt(from, path));
}

/** A number with exactly the digits that were sent. */
export function digitsAt(from: unknown, ...path: readonly string[]): string | undefined {
  return digitsOf(memberAt(from, path));
}

function memberAt(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const name of path) {
    const object = objectOf(value);
    if (object === undefined || !Object.hasOwn(object, name)) return undefined;
    value = object[name];
  }
  return value;
}

export function objectAt(from: unknown, ...path: readonly string[]): JsonObject | undefined {
  return objectOf(valueAt(from, ...path));
}

/** The objects in an array. Other items are skipped. */
export function objectsAt(from: unknown, ...path: readonly string[]): readonly JsonObject[] {
  const value = valueAt(from, ...path);
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is JsonObject => objectOf(item) !== undefined);
}

/** A string, untrimmed. A blank string counts as absent. */
export function textAt(from: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(from, ...path);
  return typeof value === 'string' && /\S/.test(value) ? value : undefined;
}

export function integerAt(from: unknown, ...path: readonly string[]): number | undefined {
  const value = valueAt(from, ...path);
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** An http(s) URL that an embed can hold (docs/guilds.md#embeds). */
export function linkAt(from: unknown, ...path: readonly string[]): string | undefined {
  const link = textAt(from, ...path)?.trim();
  return link !== undefined && isLink(link) ? link : undefined;
}

/** White space and control characters are refused, because URL parsers treat them differently. */
function isLink(text: string): boolean {
  return (
    text.length <= EMBED_LIMITS.url && /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu.test(text) && URL.canParse(text)
  );
}

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Number)
    ? (value as JsonObject)
    : undefined;
}
