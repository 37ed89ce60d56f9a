import { GatehouseError } from '../errors/gatehouse-error.ts';

export interface Pages<Item> {
  /** The page beyond an ID; the first one without it. */
  readonly fetch: (beyond: string | undefined) => Promise<readonly Item[]>;
  readonly idOf: (item: Item) => string;
  readonly pageSize: number;
  readonly ascending: boolean;
}

/** The items of all pages. A page is fetched when its first item is asked for. */
export async function* itemsOf<Item>(
  pages: Pages<Item>,
  start: string | undefined,
): AsyncGenerator<Item, void> {
  let beyond = start;
  for (;;) {
    const page = await pages.fetch(beyond);
    for (const item of page) {
      const id = pages.idOf(item);
      // Otherwise an answer that repeats itself would be read forever.
      if (beyond !== undefined && !isBeyond(id, beyond, pages.ascending))
        throw new GatehouseError(`The list is out of order: ${id} follows ${beyond}.`);
      beyond = id;
      yield item;
    }
    if (page.length < pages.pageSize) return;
  }
}

function isBeyond(id: string, last: string, ascending: boolean): boolean {
  return ascending ? BigInt(id) > BigInt(last) : BigInt(id) < BigInt(last);
}
