import { type Column, itemTable, printJson } from '../output/facts.ts';
import { printLine, type Runtime } from '../runtime.ts';
import { ConsoleClient, type Query } from './console-client.ts';
import { listItems } from './list-items.ts';

export interface FoundList {
  /** Below /api. */
  readonly path: string;
  readonly query: Query;
  /** The query's parameter that takes `next` of the page before. */
  readonly cursor: 'before' | 'after';
  readonly columns: readonly Column[];
  /** The text of an empty list. */
  readonly nothing: string;
}

export interface FindOptions {
  /** At most this many items. */
  readonly limit: number;
  readonly json?: boolean;
}

/** Prints a list of the console: a table, or one JSON object a line. */
export async function printList(
  list: FoundList,
  { limit, json }: FindOptions,
  runtime: Runtime,
): Promise<void> {
  const { path, query, cursor, columns, nothing } = list;
  const { items, more } = await listItems(new ConsoleClient(runtime), path, { query, cursor, limit });
  if (json) for (const item of items) printJson(item, runtime);
  else printLine(runtime, itemTable(items, columns, nothing));
  if (more) runtime.stderr.write(`There are more: --limit ${limit} was reached.\n`);
}
