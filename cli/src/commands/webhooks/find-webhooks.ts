import { ConsoleClient } from '../../console/console-client.ts';
import { type FindOptions, printList } from '../../console/find-command.ts';
import { listOf } from '../../json/members.ts';
import { type Column, cellOf, itemTable, numberOf, printJson, stoppedText } from '../../output/facts.ts';
import { printLine, type Runtime } from '../../runtime.ts';

/** Prints the webhooks that a query finds. */
export function findWebhooks(q: string, options: FindOptions, runtime: Runtime): Promise<void> {
  const nothing = 'No webhook was found.';
  const list = { path: '/webhooks', query: { q }, cursor: 'before' as const, columns: columns([]), nothing };
  return printList(list, options, runtime);
}

/** Prints the webhooks with the most executions in this hour and the one before it. */
export async function noisyWebhooks(options: FindOptions, runtime: Runtime): Promise<void> {
  const { limit, json } = options;
  const answer = await new ConsoleClient(runtime).get('/webhooks/noisy');
  const items = listOf(answer, 'items').slice(0, limit);
  if (json) for (const item of items) printJson(item, runtime);
  else
    printLine(runtime, itemTable(items, NOISY, 'No webhook was executed in this hour or the one before it.'));
}

/** The columns of a webhook at a path of the item. */
function columns(path: readonly string[]): Column[] {
  return [
    ['ID', (item) => cellOf(item, ...path, 'id')],
    ['NAME', (item) => cellOf(item, ...path, 'name')],
    ['GUILD', (item) => cellOf(item, ...path, 'guild_id')],
    ['CHANNEL', (item) => cellOf(item, ...path, 'channel_id')],
    ['CREATOR', (item) => creator(item, path)],
    ['DISABLED', (item) => stoppedText(item, ...path, 'disablement') ?? ''],
  ];
}

function creator(item: unknown, path: readonly string[]): string {
  const suspended = cellOf(item, ...path, 'creator_suspended') === 'yes' ? ' (suspended)' : '';
  return `${cellOf(item, ...path, 'creator_id')}${suspended}`;
}

const OUTCOMES = ['posted', 'nothing', 'refused', 'duplicate'] as const;

/** By the total, as they are sorted. */
const NOISY: readonly Column[] = [
  ['TOTAL', total],
  ...OUTCOMES.map((name): Column => [name.toUpperCase(), (item) => cellOf(item, 'outcomes', name)]),
  ...columns(['webhook']),
];

function total(item: unknown): string {
  return String(OUTCOMES.reduce((sum, name) => sum + (numberOf(item, 'outcomes', name) ?? 0), 0));
}
