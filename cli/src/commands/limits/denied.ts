import { ConsoleClient } from '../../console/console-client.ts';
import type { FindOptions } from '../../console/find-command.ts';
import { listOf } from '../../json/members.ts';
import { type Column, cellOf, factOf, itemTable, printJson, timeOf } from '../../output/facts.ts';
import { printLine, type Runtime } from '../../runtime.ts';

/** Prints the identities that were denied most often. */
export async function denied({ limit, json }: FindOptions, runtime: Runtime): Promise<void> {
  const answer = await new ConsoleClient(runtime).get('/limits/denied');
  const items = listOf(answer, 'items').slice(0, limit);
  if (json) for (const item of items) printJson(item, runtime);
  else printLine(runtime, itemTable(items, COLUMNS, 'Nobody was denied in the last ten minutes.'));
}

const COLUMNS: readonly Column[] = [
  ['DENIALS', (one) => cellOf(one, 'denials')],
  ['BUCKET', (one) => cellOf(one, 'bucket')],
  ['IDENTITY', (one) => factOf(one, 'identity') ?? `${cellOf(one, 'kind')}:(hashed)`],
  ['FINGERPRINT', (one) => cellOf(one, 'fingerprint')],
  ['LAST', (one) => timeOf(one, 'last_denied_at_ms') ?? '-'],
  ['DENIED UNTIL', (one) => timeOf(one, 'denied_until_ms') ?? '-'],
];
