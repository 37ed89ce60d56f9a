import { type FindOptions, printList } from '../../console/find-command.ts';
import { type Column, cellOf, stoppedText } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Prints the guilds that a query finds. */
export function findGuilds(q: string, options: FindOptions, runtime: Runtime): Promise<void> {
  const nothing = 'No guild was found.';
  const list = { path: '/guilds', query: { q }, cursor: 'before' as const, columns: COLUMNS, nothing };
  return printList(list, options, runtime);
}

const COLUMNS: readonly Column[] = [
  ['ID', (guild) => cellOf(guild, 'id')],
  ['NAME', (guild) => cellOf(guild, 'name')],
  ['OWNER', (guild) => cellOf(guild, 'owner_id')],
  ['MEMBERS', (guild) => cellOf(guild, 'members')],
  ['DISABLED', (guild) => stoppedText(guild, 'disablement') ?? ''],
];
