import { ROUTES } from '@gatehouse/gateway/routes';
import { binarySize } from '../../output/quantities.ts';
import { textTable } from '../../output/text-table.ts';
import type { Runtime } from '../../runtime.ts';
import { type BucketFacts, describeRow, type RowFacts } from './describe-row.ts';

const HEADINGS = ['VERB', 'PATH', 'RPC', 'WHO', 'BUCKETS', 'GLOBAL', 'BODY', 'STATUS'];

/** Prints the route table of the edge. */
export function printRoutes({ json }: { readonly json?: boolean }, { stdout }: Runtime): void {
  const facts = ROUTES.map(describeRow);
  stdout.write(json ? `${JSON.stringify(facts, null, 2)}\n` : textTable([HEADINGS, ...facts.map(cells)]));
}

function cells(row: RowFacts): string[] {
  const buckets = [
    ...row.buckets.map(bucketText),
    ...row.member_buckets.flatMap(({ member, changed, several, buckets: added }) =>
      added.map((one) => `+ ${changed ? 'new ' : several ? 'several ' : ''}${member}: ${bucketText(one)}`),
    ),
  ];
  return [
    row.verb,
    row.path,
    `${row.service}.${row.rpc}`,
    row.scope === null ? row.access : `${row.access}\nscope ${row.scope}`,
    buckets.join('\n') || '-',
    row.global_exempt ? 'exempt' : 'counts',
    row.body_limit_bytes === null ? '-' : `${row.body} ${binarySize(row.body_limit_bytes)}`,
    row.status.join('/') + (row.content_type === null ? '' : ` ${row.content_type}`),
  ];
}

function bucketText({ name, limit, window_seconds, by }: BucketFacts): string {
  return `${name} ${limit}/${window_seconds}s by ${by.join(' + ')}`;
}
