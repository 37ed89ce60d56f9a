import { printShown, type Shown } from '../../console/show-command.ts';
import { listOf } from '../../json/members.ts';
import { type Column, cellOf, factOf, numberOf } from '../../output/facts.ts';
import { duration } from '../../output/quantities.ts';
import type { Runtime } from '../../runtime.ts';
import { OVERRIDE } from './overrides.ts';

/** Prints what limits an identity. */
export function lookUp(
  identity: string,
  options: { readonly json?: boolean },
  runtime: Runtime,
): Promise<void> {
  return printShown({ path: '/limits/identity', query: { identity }, shown: shownOf }, options, runtime);
}

function shownOf(answer: unknown): Shown {
  const buckets = listOf(answer, 'buckets');
  return {
    facts: [
      // The one that buckets count, such as the /64 of an IPv6 address.
      ['identity', factOf(answer, 'identity')],
      ['fingerprint', factOf(answer, 'fingerprint')],
      ['buckets', buckets.length === 0 ? 'all are empty' : String(buckets.length)],
    ],
    parts: [
      { title: 'Buckets', items: buckets, columns: BUCKET },
      { title: 'Overrides', items: listOf(answer, 'overrides'), columns: OVERRIDE },
    ],
  };
}

/** Columns of the state of a bucket. */
export const BUCKET: readonly Column[] = [
  ['BUCKET', (bucket) => cellOf(bucket, 'state', 'bucket')],
  ['LEFT', (bucket) => cellOf(bucket, 'state', 'remaining')],
  ['LIMIT', (bucket) => cellOf(bucket, 'state', 'limit')],
  ['EMPTY IN', (bucket) => durationOf(bucket, 'state', 'empty_after_us')],
  ['KEY', (bucket) => listOf(bucket, 'identities').map(String).join(' + ')],
];

function durationOf(item: unknown, ...path: readonly string[]): string {
  const us = numberOf(item, ...path);
  return us === undefined ? '-' : duration(us);
}
