import type { Form } from '@gatehouse/kit/form';
import { MAX_PAGE } from '../store/messages/list-messages.ts';
import { readInteger } from './fields.ts';

interface PageLimit {
  /** The page size without a `limit`. */
  readonly usual: number;
  readonly max: number;
}

/** The page sizes of lists. */
export const PAGE_LIMITS = {
  audit_log: { usual: 50, max: 100 },
  guilds: { usual: 200, max: 200 },
  members: { usual: 100, max: 1_000 },
  messages: { usual: 50, max: MAX_PAGE },
} as const satisfies Record<string, PageLimit>;

/** Checks the `limit` of a list. */
export function readLimit(form: Form, limit: number | null | undefined, { usual, max }: PageLimit): number {
  return readInteger(form, 'limit', limit ?? usual, 1, max);
}

/** The page size of an unchecked `limit`: never more than the maximum. */
export function pageSize(limit: number | null | undefined, { usual, max }: PageLimit): number {
  return Math.min(Math.max(limit ?? usual, 0), max);
}
