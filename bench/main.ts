import { inspect } from 'node:util';
import { all } from './all/all.ts';
import { ArgumentError, HELP, type RunArguments, readArguments } from './arguments.ts';
import { thisMachine } from './report/machine.ts';
import { Progress } from './report/progress.ts';
import { type ReportJson, SCHEMA_VERSION } from './report/report-json.ts';
import { Reporter } from './report/reporter.ts';

const args = process.argv.slice(2);

try {
  const read = readArguments(args);
  if (read === 'help') process.stdout.write(HELP);
  else if ('entry' in read) await run(read);
  else process.exitCode = (await all(read)) === 0 ? 0 : 1;
} catch (error) {
  if (error instanceof ArgumentError) {
    process.stderr.write(`bench: ${error.message}\nbench: npm run bench -- --help shows all options\n`);
    process.exit(2);
  }
  process.stderr.write(
    `${inspect(error)}\nbench: FAILED: ${error instanceof Error ? error.message : error}\n`,
  );
  process.exit(1);
}

async function run({ name, entry, minutes, only, json, ...options }: RunArguments): Promise<void> {
  const { rounds, seconds } = options;
  const began = new Date();
  const progress = new Progress(name, minutes, process.stderr);
  const reporter = new Reporter(progress, json ? process.stderr : process.stdout, only);
  const machine = thisMachine();
  progress.say(`${name}: ${rounds} rounds of ${seconds} s for each case, after warming up`);
  progress.say(`${machine.cores} cores, ${machine.cpu}, Node ${machine.node}, commit ${machine.commit}`);
  await entry.run({
    ...options,
    say: (line) => progress.say(line),
    report: (table) => reporter.report(table),
    wants: (title, row) => reporter.wants(title, row),
    turned: (...loop) => progress.turned(...loop),
  });
  progress.clear();
  if (reporter.tables().length === 0) {
    const names = reporter.names().map((one) => `\n  ${one}`);
    throw new ArgumentError(`--only matches none of:${names.join('')}`);
  }
  const took_seconds = Math.round((Date.now() - began.getTime()) / 1000);
  if (!json) return;
  const report: ReportJson = {
    schema_version: SCHEMA_VERSION,
    bench: name,
    command: ['npm run bench --', ...args].join(' '),
    began_at: began.toISOString(),
    took_seconds,
    rounds,
    seconds,
    machine,
    tables: reporter.tables(),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}
