import { type FindOptions, printList } from '../../console/find-command.ts';
import { type Column, cellOf, stoppedText, timeOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Prints the accounts that a query finds. */
export function findAccounts(q: string, options: FindOptions, runtime: Runtime): Promise<void> {
  const nothing = 'No account was found.';
  const list = { path: '/accounts', query: { q }, cursor: 'before' as const, columns: COLUMNS, nothing };
  return printList(list, options, runtime);
}

const COLUMNS: readonly Column[] = [
  ['ID', (account) => cellOf(account, 'id')],
  ['NAME', (account) => `${cellOf(account, 'username')}${cellOf(account, 'bot') === 'yes' ? ' (bot)' : ''}`],
  ['E-MAIL', (account) => cellOf(account, 'email')],
  ['CREATED', (account) => timeOf(account, 'created_at_ms') ?? '-'],
  ['SUSPENDED', (account) => stoppedText(account, 'suspension') ?? ''],
];
