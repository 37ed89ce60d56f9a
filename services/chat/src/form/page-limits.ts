import type { Form } from '@gatehouse/kit/form';
import { MAX_PAGE } from '../store/messages/list-messages.ts';
import { readInteger } from './fields.ts';

interface PageLimit {
  /** The page size without a `limit`. */
  readonly default_limit: number;
  readonly max_limit: number;
}

/** The page sizes of lists. */
export const PAGE_LIMITS = {
  audit_log: { default_limit: 50, max_limit: 100 },
  bots: { default_limit: 50, max_limit: 100 },
  guilds: { default_limit: 200, max_limit: 200 },
  members: { default_limit: 100, max_limit: 1_000 },
  messages: { default_limit: 50, max_limit: MAX_PAGE },
} as const satisfies Record<string, PageLimit>;

/** Checks the `limit` of a list. */
export function readLimit(
  form: Form,
  limit: number | null | undefined,
  { default_limit, max_limit }: PageLimit,
): number {
  return readInteger(form, 'limit', limit ?? default_limit, 1, max_limit);
}

/** The page size of an unchecked `limit`, which is clamped. */
export function pageSize(limit: number | null | undefined, { default_limit, max_limit }: PageLimit): number {
  return Math.min(Math.max(limit ?? default_limit, 0), max_limit);
}
