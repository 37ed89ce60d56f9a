import { badRequest } from './errors.ts';

/** The number of rows on a page. @throws BAD_REQUEST if it is not 1 to `max` */
export function readLimit(
  limit: number | null | undefined,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  if (limit == null) return fallback;
  if (limit < 1 || limit > max) throw badRequest(`limit must be 1 to ${max}.`);
  return limit;
}
