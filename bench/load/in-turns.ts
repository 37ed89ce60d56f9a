import type { BenchOptions } from '../bench.ts';
import { ratioOf } from '../report/figure.ts';
import { rateFigures } from '../report/rate-figures.ts';
import type { Row, Table } from '../report/table.ts';
import { type LoadOrder, type LoadRequest, type LoadResult, load } from './load.ts';
import { takeTurns } from './turns.ts';

/** A load: its URL, connections and requests. */
export interface LoadCase {
  readonly name: string;
  readonly what: string;
  /** The server's URL; its path is ignored. */
  readonly url: string;
  readonly connections: number;
  /** A function returns the requests of the next turn. */
  readonly requests: readonly LoadRequest[] | (() => readonly LoadRequest[]);
  readonly expected: number;
}

/** Turns of warm-up, for V8's compiler. */
const WARM_TURNS = 4;
/** Uncounted load before each turn: an idle process is slow at first. */
export const LEAD_SECONDS = 0.5;

/** A case, and the case with which its ratios compare it. */
export interface ComparedCase extends LoadCase {
  readonly compared_with?: string;
}

/** Cases that are compared with each other, for a table. */
export interface CaseGroup extends Omit<Table, 'rows'> {
  readonly cases: readonly ComparedCase[];
  /** Turns of warm-up, unless it is the first group. Default: as many as new servers need. */
  readonly warm?: number | undefined;
}

/**
 * Measures each group, and reports its table at once. Of a group it runs the cases that --only matches, and those with
 * which they are compared.
 */
export async function measureGroups(groups: readonly CaseGroup[], options: BenchOptions): Promise<void> {
  const wanted = groups
    .map((group) => ({ ...group, cases: wantedOf(group, options) }))
    .filter(({ cases }) => cases.length > 0);
  for (const [index, { cases, warm, ...table }] of wanted.entries()) {
    const loop = {
      label: labelOf(table),
      warm: index === 0 ? WARM_TURNS : warm,
      loops_left: wanted.length - index,
    };
    const results = await inTurns(cases, options, loop);
    options.report({ ...table, rows: cases.map((one) => comparedRow(one, results)) });
  }
}

function labelOf({ title, connections }: Omit<Table, 'rows'>): string {
  return connections === undefined ? title : `${title} ${connections}`;
}

function wantedOf({ cases, ...table }: CaseGroup, { wants }: BenchOptions): ComparedCase[] {
  const chosen = cases.filter(({ name }) => wants(labelOf(table), name));
  const references = new Set(chosen.map(({ compared_with }) => compared_with));
  return cases.filter((one) => chosen.includes(one) || references.has(one.name));
}

/** How `inTurns` shows its turns, and how many it takes. */
interface LoopOptions {
  readonly label?: string;
  readonly warm?: number | undefined;
  readonly loops_left?: number;
}

/**
 * Runs all cases in turns of one second, so that other work of the machine affects all of them, and compared cases run
 * within seconds of each other. Returns the results of each case, by its name.
 */
export async function inTurns(
  cases: readonly LoadCase[],
  options: Pick<BenchOptions, 'rounds' | 'seconds' | 'say' | 'turned'>,
  { label = 'cases in turn', warm = WARM_TURNS, loops_left = 1 }: LoopOptions = {},
): Promise<ReadonlyMap<string, readonly LoadResult[]>> {
  const results = new Map<string, LoadResult[]>(cases.map(({ name }) => [name, []]));
  const turns = { warm, counted: options.rounds * options.seconds, loops_left };
  await takeTurns(label, turns, options, async (isCounted) => {
    for (const one of cases) {
      const { name, expected } = one;
      const result = await load({ ...turnOf(one), lead_seconds: LEAD_SECONDS });
      if (countUnexpected(expected, result) > 0)
        options.say(`${name} was answered ${JSON.stringify(result.statuses)}`);
      if (isCounted) results.get(name)?.push(result);
    }
  });
  return results;
}

/** The load of one turn of a case. */
export function turnOf({ url, connections, requests }: LoadCase): LoadOrder {
  return {
    url: new URL(url).origin,
    connections,
    seconds: 1,
    requests: typeof requests === 'function' ? requests() : requests,
  };
}

/** The number of unexpected responses. Any of them makes a figure worthless. */
export function countUnexpected(expected: number, { statuses }: LoadResult): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (Number(status) === expected ? sum : sum + count),
    0,
  );
}

/** The figures of a case, and its ratios to the compared case, turn by turn. */
export function comparedRow(
  { name, what, expected, compared_with = name }: ComparedCase,
  results: ReadonlyMap<string, readonly LoadResult[]>,
): Row {
  const own = results.get(name) ?? [];
  const others = results.get(compared_with) ?? [];
  const isCompared = compared_with !== name;
  const p50s = (of: readonly LoadResult[]): number[] => of.map(({ p50_ms }) => p50_ms);
  return {
    name,
    what,
    compared_with,
    unexpected: own.reduce((sum, one) => sum + countUnexpected(expected, one), 0),
    figures: {
      ...rateFigures(own, isCompared ? others : undefined),
      ...(isCompared && { p50_ratio: ratioOf(p50s(own), p50s(others)) }),
    },
  };
}
