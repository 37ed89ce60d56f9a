import { readTime, type SentTime } from '@gatehouse/kit/iso-8601';
import { valueAt } from '../execution/json-object.ts';

/** A time of ISO 8601 (docs/conventions.md#times); undefined for anything else. */
export function timeAt(from: unknown, ...path: readonly string[]): SentTime | undefined {
  const value = valueAt(from, ...path);
  return typeof value === 'string' ? readTime(value.trim()) : undefined;
}
