import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROUTES } from '@gatehouse/gateway/routes';
import { apiReference } from './api-reference/reference.ts';

const HELP = `npm run api [-- --check]: writes gateway/API.md, the reference of the HTTP API.

It comes from the route table, the comments of the .proto files, and the texts and examples in
scripts/api-reference/: change those.

  --check  writes nothing, and ends with 1 when gateway/API.md is not what it would write
  --help   this text
`;

const FILE = fileURLToPath(new URL('../gateway/API.md', import.meta.url));

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
  const reference = apiReference(ROUTES);
  if (!check) {
    writeFileSync(FILE, reference);
    return 0;
  }
  if (current() === reference) return 0;
  process.stderr.write('gateway/API.md is not what the code says: npm run api\n');
  return 1;
}

function current(): string | undefined {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return undefined;
  }
}

process.exitCode = main(process.argv.slice(2));
