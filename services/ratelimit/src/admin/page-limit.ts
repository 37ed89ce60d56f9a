import { badPage } from '../errors.ts';

const MAX_LIMIT = 1_000;

/** @throws BAD_PAGE */
export function pageLimit(limit: number | null | undefined, byDefault: number): number {
  if (limit === null || limit === undefined) return byDefault;
  if (limit < 1 || limit > MAX_LIMIT) throw badPage('limit', `A page has 1 to ${MAX_LIMIT} items.`);
  return limit;
}
