import type { BenchOptions } from '../bench.ts';
import { type LoadOrder, type LoadRequest, type LoadResult, load, median } from './load.ts';
import { twoDecimals } from './two-decimals.ts';

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

/**
 * Runs all cases in turns of one second, so that other work of the machine affects all of them, and compared cases run
 * within seconds of each other. Returns the results of each case, by its name.
 */
export async function inTurns(
  cases: readonly LoadCase[],
  { rounds, seconds, say }: Pick<BenchOptions, 'rounds' | 'seconds' | 'say'>,
): Promise<ReadonlyMap<string, readonly LoadResult[]>> {
  const results = new Map<string, LoadResult[]>(cases.map(({ name }) => [name, []]));
  for (let turn = 1 - WARM_TURNS; turn <= rounds * seconds; turn++) {
    for (const one of cases) {
      const { name, expected } = one;
      const result = await load({ ...turnOf(one), lead_seconds: LEAD_SECONDS });
      if (countUnexpected(expected, result) > 0)
        say(`${name} was answered ${JSON.stringify(result.statuses)}`);
      if (turn > 0) results.get(name)?.push(result);
    }
    if (turn === 0) say('warm');
    else if (turn > 0 && turn % seconds === 0) say(`round ${turn / seconds} of ${rounds}`);
  }
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

/** The medians of a case, and of its ratios to the compared case, turn by turn. */
export function comparedFigures(
  { name, what, expected, compared_with = name }: LoadCase & { readonly compared_with?: string },
  results: ReadonlyMap<string, readonly LoadResult[]>,
): Record<string, unknown> {
  const own = results.get(name) ?? [];
  const others = results.get(compared_with) ?? [];
  const ratio = (member: 'per_second' | 'p50_ms'): number =>
    median(own.map((one, turn) => one[member] / (others[turn]?.[member] ?? Number.NaN)));
  return {
    what,
    per_second: Math.round(median(own.map((one) => one.per_second))),
    p50_ms: twoDecimals(median(own.map((one) => one.p50_ms))),
    p99_ms: twoDecimals(median(own.map((one) => one.p99_ms))),
    compared_with,
    per_second_ratio: Math.round(ratio('per_second') * 1000) / 1000,
    p50_ratio: twoDecimals(ratio('p50_ms')),
    unexpected: own.reduce((sum, one) => sum + countUnexpected(expected, one), 0),
  };
}
