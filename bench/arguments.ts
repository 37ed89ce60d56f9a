import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PIECES } from './all/pieces.ts';
import { BENCH_OPTIONS, BENCHES, type BenchEntry, type BenchOption, USUAL_OPTIONS } from './benches.ts';

/** A run of a benchmark. */
export interface RunArguments {
  readonly name: string;
  readonly entry: BenchEntry;
  readonly rounds: number;
  readonly seconds: number;
  readonly minutes: number;
  readonly only: RegExp | undefined;
  readonly quick: boolean;
  readonly profile: boolean;
  readonly json: boolean;
}

/** A run of the pieces of the page docs/performance.md. */
export interface AllArguments {
  readonly name: 'all';
  /** The folder of the pieces' figures, in a run that only writes the page. */
  readonly from: string | undefined;
  readonly rounds: number | undefined;
  readonly minutes: number;
  readonly only: RegExp | undefined;
}

/** A mistake in the arguments. The message says what to do. */
export class ArgumentError extends Error {}

export const OPTIONS = {
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  minutes: { type: 'string' },
  from: { type: 'string' },
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const MINUTES = 5;
const MINUTES_OF_ALL = 40;
const RUNS: Readonly<Record<string, BenchEntry>> = { ...BENCHES, ...PIECES };
const NAME_WIDTH = Math.max(...Object.keys(RUNS).map((name) => name.length));

export const HELP = `npm run bench -- NAME [options]

Runs a benchmark. Each table is printed as soon as its cases are measured: the median of all turns, and beside it the
lowest and the highest turn. Figures without a range, such as all of idle, outages, statements and edge --profile, are
single values.

${linesOf(BENCHES)}

  ${'all'.padEnd(NAME_WIDTH)}  a chosen set, in many processes and in one, at 1 to 128 connections, deliveries at 10 to 1,000:
  ${''.padEnd(NAME_WIDTH)}  writes docs/performance.md. Its pieces, each of which is a benchmark too:

${linesOf(PIECES)}

  --only PATTERN  only the tables and cases whose "TABLE: CASE" matches the regular expression, in any case of
                  letters, and the cases that they are compared with; of all: only the pieces whose name matches
                  (not ${namesWithout('only')}, edge --profile)
  --rounds N      rounds of every case, in turn, after warm-up (default: by benchmark, to end within five minutes;
                  not ${namesWithout('rounds')})
  --seconds N     seconds of each case in each round (default: by benchmark; not all)
  --minutes N     about the time for everything: cases then have fewer turns, but at least one
                  (default: ${MINUTES}; of all: ${MINUTES_OF_ALL}; not ${namesWithout('minutes')})
  --quick         realtime: a tenth of the sessions
  --profile       edge: microseconds by step
  --json          the figures as JSON on standard output, in the form of bench/report/report-json.ts; everything
                  else goes to standard error (not all)
  --from FOLDER   all: measures nothing, and writes the page from the figures in FOLDER
                  (all writes them to artifacts/performance); takes no other option
  --help          this text

The load generator runs on the same cores as the servers: compare the ratios of one run, not figures of different
machines. bench/README.md says more.
`;

function linesOf(entries: Readonly<Record<string, BenchEntry>>): string {
  return Object.entries(entries)
    .map(([name, { about }]) => `  ${name.padEnd(NAME_WIDTH)}  ${about}`)
    .join('\n');
}

function takes({ takes: some = USUAL_OPTIONS }: BenchEntry, option: BenchOption): boolean {
  return some.includes(option);
}

/** The benchmarks that do not take an option. */
function namesWithout(option: BenchOption): string {
  const without = Object.entries(RUNS).filter(([, entry]) => !takes(entry, option));
  return without.map(([name]) => name).join(', ');
}

/** Returns 'help', or the run. @throws ArgumentError */
export function readArguments(args: readonly string[]): 'help' | RunArguments | AllArguments {
  const { values, positionals } = parsed(args);
  if (values.help) return 'help';
  const [name, ...more] = positionals;
  const names = ['all', ...Object.keys(RUNS)].join(', ');
  if (name === undefined) throw new ArgumentError(`name a benchmark: ${names}`);
  if (more.length > 0) throw new ArgumentError(`one benchmark at a time: ${positionals.join(', ')}`);
  const only = values.only === undefined ? undefined : patternOf(values.only);
  const { rounds, quick, profile, json, from } = values;
  if (name === 'all') return readAll(values, only);
  if (from !== undefined) throw new ArgumentError('--from is an option of all alone');
  const entry = RUNS[name];
  if (entry === undefined) throw new ArgumentError(`there is no benchmark ${name}; there are ${names}`);
  refuseUntaken(name, entry, values);
  return {
    name,
    entry,
    rounds: numberOf('rounds', rounds ?? entry.rounds, true),
    seconds: numberOf('seconds', values.seconds ?? entry.seconds, true),
    minutes: numberOf('minutes', values.minutes ?? MINUTES, false),
    only,
    quick,
    profile,
    json,
  };
}

function refuseUntaken(name: string, entry: BenchEntry, values: Values): void {
  const untaken = BENCH_OPTIONS.find(
    (option) => (values[option] ?? false) !== false && !takes(entry, option),
  );
  if (untaken !== undefined) throw new ArgumentError(`--${untaken} is no option of ${name}`);
  if (values.profile && values.only !== undefined)
    throw new ArgumentError(`--only is no option of ${name} --profile`);
}

function readAll(values: Values, only: RegExp | undefined): AllArguments {
  const { from, rounds } = values;
  const unfit = (['seconds', 'quick', 'profile', 'json'] as const).find((option) => values[option]);
  if (unfit !== undefined) throw new ArgumentError(`--${unfit} is no option of all`);
  const measuring = (['rounds', 'minutes', 'only'] as const).find((option) => values[option] !== undefined);
  if (from !== undefined && measuring !== undefined)
    throw new ArgumentError(`--${measuring} is no option of all --from, which measures nothing`);
  if (from !== undefined && !existsSync(from)) throw new ArgumentError(`--from: there is no folder ${from}`);
  const pieces = Object.keys(PIECES);
  if (only !== undefined && !pieces.some((piece) => only.test(piece)))
    throw new ArgumentError(`--only matches none of ${pieces.join(', ')}`);
  return {
    name: 'all',
    from,
    rounds: rounds === undefined ? undefined : numberOf('rounds', rounds, true),
    minutes: numberOf('minutes', values.minutes ?? MINUTES_OF_ALL, false),
    only,
  };
}

type Values = ReturnType<typeof parsed>['values'];

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function numberOf(option: string, value: string | number, whole: boolean): number {
  const number = Number(value);
  const isFit = whole ? Number.isInteger(number) && number >= 1 : number > 0 && Number.isFinite(number);
  if (!isFit)
    throw new ArgumentError(
      `--${option} is ${whole ? 'a whole number from 1' : 'a number above 0'}: ${value}`,
    );
  return number;
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch {
    throw new ArgumentError(`--only is a regular expression: ${text}`);
  }
}
