import { parseArgs } from 'node:util';
import { textTable } from '@gatehouse/cli/output/text-table';
import { ROUTES } from '@gatehouse/gateway/routes';
import { type BucketFacts, describeRow, type RowFacts } from './routes/describe-row.ts';

const HELP = `npm run routes [-- --json]: prints the edge's route table.

  --json   as JSON, for scripts: npm run --silent routes -- --json | jq
  --help   this text

The columns: verb and path below /api/v1; the RPC that answers; who may call, and with which scope an access
token may; the route's own buckets, each with its limit per window and what it counts, and those that a member
of the body adds ("+ member"; "+ new member": where it is another value than the account has); whether the request counts against the global bucket too
(without an Authorization header no GET does); the body and its limit; the status of success.
`;

const HEADINGS = ['VERB', 'PATH', 'RPC', 'WHO', 'BUCKETS', 'GLOBAL', 'BODY', 'STATUS'];

function main(args: string[]): number {
  let json: boolean;
  try {
    const { values } = parseArgs({
      args,
      options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help === true) {
      process.stdout.write(HELP);
      return 0;
    }
    json = values.json;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return 2;
  }
  const facts = ROUTES.map(describeRow);
  process.stdout.write(
    json ? `${JSON.stringify(facts, null, 2)}\n` : textTable([HEADINGS, ...facts.map(cells)]),
  );
  return 0;
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
    row.body_limit_bytes === null ? '-' : `${row.body} ${size(row.body_limit_bytes)}`,
    row.status.join('/') + (row.content_type === null ? '' : ` ${row.content_type}`),
  ];
}

function bucketText({ name, limit, window_seconds, by }: BucketFacts): string {
  return `${name} ${limit}/${window_seconds}s by ${by.join(' + ')}`;
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
}

process.exitCode = main(process.argv.slice(2));
