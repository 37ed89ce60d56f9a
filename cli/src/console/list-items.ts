import { isObject, listOf, textOf } from '../json/members.ts';
import type { ConsoleClient, Query } from './console-client.ts';

export interface Items {
  readonly items: readonly unknown[];
  /** Whether there are more. */
  readonly more: boolean;
}

/**
 * Reads the first items of a list, page by page.
 *
 * @param cursor the query's parameter that takes `next` of the page before
 */
export async function listItems(
  client: ConsoleClient,
  path: string,
  { query, limit, cursor }: { readonly query: Query; readonly limit: number; readonly cursor: string },
): Promise<Items> {
  const items: unknown[] = [];
  let next: string | undefined;
  do {
    const page = await client.get(path, { ...query, [cursor]: next });
    const found = listOf(page, 'items');
    items.push(...found);
    const following = isObject(page) ? textOf(page, 'next') : undefined;
    next = found.length === 0 || following === next ? undefined : following;
  } while (next !== undefined && items.length < limit);
  return { items: items.slice(0, limit), more: next !== undefined };
}
