import { type FindOptions, printList } from '../../console/find-command.ts';
import { type Column, cellOf, factOf, timeOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Prints the overrides. */
export function overrides(options: FindOptions, runtime: Runtime): Promise<void> {
  const nothing = 'There is no override.';
  const list = { path: '/limits/overrides', query: {}, cursor: 'after' as const, columns: OVERRIDE, nothing };
  return printList(list, options, runtime);
}

/** Columns of an override. */
export const OVERRIDE: readonly Column[] = [
  ['IDENTITY', (one) => cellOf(one, 'identity')],
  ['BUCKET', (one) => factOf(one, 'bucket') ?? '(all)'],
  ['LIMIT', limitText],
  ['UNTIL', (one) => timeOf(one, 'expires_at_ms') ?? '-'],
  ['BY', (one) => cellOf(one, 'operator')],
  ['REASON', (one) => cellOf(one, 'reason')],
];

/** The limit of an override. */
export function limitText(override: unknown): string {
  if (factOf(override, 'exempt') === 'yes') return 'exempt';
  return `${cellOf(override, 'limit')} per ${cellOf(override, 'window_seconds')} s`;
}
