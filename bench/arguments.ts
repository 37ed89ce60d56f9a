import { parseArgs } from 'node:util';
import { BENCHES, type BenchEntry } from './benches.ts';

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

/** A mistake in the arguments. The message says what to do. */
export class ArgumentError extends Error {}

const OPTIONS = {
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  minutes: { type: 'string', default: '5' },
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const NAME_WIDTH = Math.max(...Object.keys(BENCHES).map((name) => name.length));

export const HELP = `npm run bench -- NAME [options]

Runs a benchmark. Each table is printed as soon as its cases are measured: the median of all turns, and beside it the
lowest and the highest turn.

${Object.entries(BENCHES)
  .map(([name, { about }]) => `  ${name.padEnd(NAME_WIDTH)}  ${about}`)
  .join('\n')}

  --only PATTERN  only the tables and cases whose "TABLE: CASE" matches the regular expression, in any case of
                  letters, and the cases that they are compared with
  --rounds N      rounds of every case, in turn, after warm-up (default: by benchmark, to end within five minutes)
  --seconds N     seconds of each case in each round (default: by benchmark)
  --minutes N     the time for everything: later cases then have fewer turns, but at least one (default: 5)
  --quick         realtime: a tenth of the sessions
  --profile       edge: microseconds by step
  --json          the figures as JSON on standard output, in the form of bench/report/report-json.ts; everything
                  else goes to standard error
  --help          this text

The load generator runs on the same cores as the servers: compare the ratios of one run, not figures of different
machines. bench/README.md says more.
`;

/** Returns 'help', or the run. @throws ArgumentError */
export function readArguments(args: readonly string[]): 'help' | RunArguments {
  const { values, positionals } = parsed(args);
  if (values.help) return 'help';
  const [name, ...more] = positionals;
  const names = Object.keys(BENCHES).join(', ');
  if (name === undefined) throw new ArgumentError(`name a benchmark: ${names}`);
  if (more.length > 0) throw new ArgumentError(`one benchmark at a time: ${positionals.join(', ')}`);
  const entry = BENCHES[name];
  if (entry === undefined) throw new ArgumentError(`there is no benchmark ${name}; there are ${names}`);
  const { only, quick, profile, json } = values;
  return {
    name,
    entry,
    rounds: numberOf('rounds', values.rounds ?? entry.rounds, true),
    seconds: numberOf('seconds', values.seconds ?? entry.seconds, true),
    minutes: numberOf('minutes', values.minutes, false),
    only: only === undefined ? undefined : patternOf(only),
    quick,
    profile,
    json,
  };
}

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
