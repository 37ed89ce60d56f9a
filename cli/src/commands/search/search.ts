import { ConsoleClient } from '../../console/console-client.ts';
import { ExitCode } from '../../failures.ts';
import { listOf } from '../../json/members.ts';
import { type Column, cellOf, itemTable, printJson } from '../../output/facts.ts';
import { printLine, type Runtime } from '../../runtime.ts';

/** Prints what the console's search box finds. */
export async function search(
  q: string,
  { json }: { readonly json?: boolean },
  runtime: Runtime,
): Promise<void> {
  const answer = await new ConsoleClient(runtime).get('/search', { q });
  const results = listOf(answer, 'results');
  if (results.length === 0) runtime.exitCode = ExitCode.NEGATIVE;
  if (json) for (const result of results) printJson(result, runtime);
  else printLine(runtime, itemTable(results, COLUMNS, 'Nothing was found.'));
}

const COLUMNS: readonly Column[] = [
  ['KIND', (result) => cellOf(result, 'kind')],
  ['ID', (result) => cellOf(result, 'id')],
  ['TITLE', (result) => cellOf(result, 'title')],
  ['DETAIL', (result) => cellOf(result, 'detail')],
];
