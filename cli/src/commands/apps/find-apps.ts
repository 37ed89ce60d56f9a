import { type FindOptions, printList } from '../../console/find-command.ts';
import { type Column, cellOf, stoppedText, timeOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Prints the applications that a query finds. */
export function findApps(q: string, options: FindOptions, runtime: Runtime): Promise<void> {
  const nothing = 'No application was found.';
  const list = { path: '/applications', query: { q }, cursor: 'before' as const, columns: COLUMNS, nothing };
  return printList(list, options, runtime);
}

const COLUMNS: readonly Column[] = [
  ['ID', (application) => cellOf(application, 'id')],
  ['NAME', (application) => cellOf(application, 'name')],
  ['OWNER', (application) => cellOf(application, 'owner_id')],
  ['CREATED', (application) => timeOf(application, 'created_at_ms') ?? '-'],
  ['DISABLED', (application) => stoppedText(application, 'disablement') ?? ''],
];
