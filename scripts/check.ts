import { fileURLToPath } from 'node:url';
import { runTasks } from './check/run-tasks.ts';

const HELP = `npm run check [-- <names>]: everything that is checked without running the code.

  lint       biome ci: format, rules, import cycles
  types      tsc
  buf        buf lint: the contracts' form
  breaking   buf breaking: the contracts against those of the last release (proto/released/)
  layers     dependency-cruiser: who may import whom (layers.config.ts), and import cycles between folders
  openapi    redocly lint: openapi.json and asyncapi.json of gateway/, with the rules of scripts/openapi/redocly.yaml
  links      every relative link and anchor of the Markdown files, and every page of docs/ that a comment names
  generated  npm run generate -- --check: every committed file that is generated is up to date

They are tasks of turbo.json and run side by side. A task that passed on the same files is not repeated.
The last line is \`N passed, N failed\`.
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHECKS = ['lint', 'types', 'buf', 'breaking', 'layers', 'openapi', 'links', 'generated'];

function main(args: readonly string[]): number {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const names = args.length > 0 ? args : CHECKS;
  const known = names.filter((name) => CHECKS.includes(name));
  const outcomes = known.length > 0 ? runTasks(ROOT, known) : undefined;
  let failed = 0;
  for (const name of names) {
    const { passed, output } = outcomes?.get(name) ?? {
      passed: false,
      output: 'there is no such check; see --help\n',
    };
    if (!passed) failed += 1;
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}: ${name}\n`);
    if (!passed) process.stdout.write(output.replace(/^(?=.)/gm, '  '));
  }
  process.stdout.write(`\n${names.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

process.exit(main(process.argv.slice(2)));
