import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importCircles } from './check/import-circles.ts';
import { brokenLinks, filesOf } from './check/links.ts';
import { compareWithRelease } from './check/released-contracts.ts';

const HELP = `npm run check [-- <names>]: everything that is checked without running the code.

  lint       biome ci: format, rules, who may import whom
  types      tsc
  buf        buf lint: the contracts' form
  breaking   buf breaking: the contracts against those of the last release (proto/released/)
  circles    modules and packages that import each other in a circle, if only for types
  links      every relative link and anchor of the Markdown files, and every page of docs/ that a comment names

The last line is \`N passed, N failed\`.
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROTO = join(ROOT, 'proto');

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

const CHECKS: Readonly<Record<string, () => Outcome>> = {
  lint: () => run('biome', ['ci', '--error-on-warnings', '--colors=off'], ROOT),
  types: () => run('tsc', ['--project', '.', '--pretty', 'false'], ROOT),
  buf: () => run('buf', ['lint'], PROTO),
  breaking: () => outcome(compareWithRelease(PROTO)),
  circles: () => none(importCircles(ROOT, filesOf(ROOT))),
  links: () => none(brokenLinks(ROOT, filesOf(ROOT))),
};

/** Passed where nothing is wrong. */
function none(problems: readonly string[]): Outcome {
  return { passed: problems.length === 0, output: problems.map((line) => `${line}\n`).join('') };
}

function run(command: string, args: string[], cwd: string): Outcome {
  const program = join(ROOT, 'node_modules/.bin', command);
  return outcome(spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 }));
}

function outcome({ status, error, stdout, stderr }: SpawnSyncReturns<string>): Outcome {
  return { passed: status === 0, output: error === undefined ? `${stdout}${stderr}` : error.message };
}

function main(args: readonly string[]): number {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const names = args.length > 0 ? args : Object.keys(CHECKS);
  let failed = 0;
  for (const name of names) {
    const { passed, output } = CHECKS[name]?.() ?? {
      passed: false,
      output: 'there is no such check; see --help',
    };
    if (!passed) failed += 1;
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}: ${name}\n`);
    if (!passed) process.stdout.write(output.replace(/^(?=.)/gm, '  '));
  }
  process.stdout.write(`\n${names.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

process.exit(main(process.argv.slice(2)));
