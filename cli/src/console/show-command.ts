import { type Column, factLines, itemTable, printJson } from '../output/facts.ts';
import { printLine, type Runtime } from '../runtime.ts';
import { ConsoleClient, type Query } from './console-client.ts';
import { warnOfUnavailable } from './warn-of-unavailable.ts';

/** A thing for people: facts, then a table for each part that has items. */
export interface Shown {
  readonly facts: readonly (readonly [name: string, value: string | undefined])[];
  readonly parts: readonly {
    readonly title: string;
    readonly items: readonly unknown[];
    readonly columns: readonly Column[];
  }[];
}

export interface ShowRequest {
  /** Below /api. */
  readonly path: string;
  readonly query?: Query;
  readonly shown: (answer: unknown) => Shown;
}

/** Prints one answer of the console. Parts whose service is away are named on standard error. */
export async function printShown(
  { path, query = {}, shown }: ShowRequest,
  { json }: { readonly json?: boolean },
  runtime: Runtime,
): Promise<void> {
  const answer = await new ConsoleClient(runtime).get(path, query);
  if (json) printJson(answer, runtime);
  else printLine(runtime, shownText(shown(answer)));
  warnOfUnavailable(answer, runtime);
}

function shownText({ facts, parts }: Shown): string {
  const tables = parts
    .filter(({ items }) => items.length > 0)
    .map(({ title, items, columns }) => `${title}\n${itemTable(items, columns, '')}`);
  return [factLines(facts), ...tables].filter((text) => text !== '').join('\n\n');
}
