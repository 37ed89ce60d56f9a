import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROUTES } from '@gatehouse/gateway/routes';
import { withBucketTables } from './api-reference/bucket-tables.ts';
import { apiReference } from './api-reference/reference.ts';

const HELP = `npm run api [-- --check]: writes gateway/API.md, the reference of the HTTP API, and the tables of
buckets in docs/rate-limits.md.

They come from the route table, the comments of the .proto files, proto/gatehouse/ratelimit/v1/buckets.json, and the texts
and examples in scripts/api-reference/: change those.

  --check  writes nothing, and ends with 1 when a file is not what it would write
  --help   this text
`;

/** What is written, each file made from what stands in it now. */
const FILES: Readonly<Record<string, (current: string) => string>> = {
  'gateway/API.md': () => apiReference(ROUTES),
  'docs/rate-limits.md': (current) => withBucketTables(current, ROUTES),
};

function main(args: string[]): number {
  let check: boolean;
  try {
    const { values } = parseArgs({
      args,
      options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help === true) {
      process.stdout.write(HELP);
      return 0;
    }
    check = values.check;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return 2;
  }
  const stale = Object.entries(FILES).filter(([file, write]) => {
    const path = new URL(`../${file}`, import.meta.url);
    const current = textOf(path);
    const text = write(current);
    if (!check) writeFileSync(path, text);
    return text !== current;
  });
  if (!check || stale.length === 0) return 0;
  for (const [file] of stale) process.stderr.write(`${file} is not what the code says: npm run api\n`);
  return 1;
}

/** Nothing where there is no such file. */
function textOf(path: URL): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

process.exitCode = main(process.argv.slice(2));
