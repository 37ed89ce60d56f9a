import type { BenchOptions } from '../bench.ts';
import { type LoadOrder, type LoadRequest, type LoadResult, load, median } from './load.ts';

/** What is measured: where, with how many connections. */
export interface LoadCase {
  readonly name: string;
  readonly what: string;
  /** The server's; a path of it does not count. */
  readonly url: string;
  readonly connections: number;
  /** A function gives those of the next turn. */
  readonly requests: readonly LoadRequest[] | (() => readonly LoadRequest[]);
  readonly expected: number;
}

/** Before anything counts: the compiler needs some seconds of each case. */
const WARM_TURNS = 4;
/** Before each second that counts: what has been idle for a while is slow at first. */
const LEAD_SECONDS = 0.5;

/**
 * All cases in turn, a second of each: whatever else the machine does in a minute falls on all of them, and each is
 * measured within seconds of what it is compared with. Comes back with the turns of each case, by its name.
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
      if (otherThan(expected, result) > 0) say(`${name} was answered ${JSON.stringify(result.statuses)}`);
      if (turn > 0) results.get(name)?.push(result);
    }
    if (turn === 0) say('warm');
    else if (turn > 0 && turn % seconds === 0) say(`round ${turn / seconds} of ${rounds}`);
  }
  return results;
}

/** A second of a case. */
export function turnOf({ url, connections, requests }: LoadCase): LoadOrder {
  return {
    url: new URL(url).origin,
    connections,
    seconds: 1,
    requests: typeof requests === 'function' ? requests() : requests,
  };
}

/** Answers that a case should not have: a figure is worth nothing with them. */
export function otherThan(expected: number, { statuses }: LoadResult): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (Number(status) === expected ? sum : sum + count),
    0,
  );
}

/** The medians of a case, and of the ratios to the case that it is compared with, turn by turn. */
export function besideOthers(
  { name, what, expected, beside = name }: LoadCase & { readonly beside?: string },
  results: ReadonlyMap<string, readonly LoadResult[]>,
): Record<string, unknown> {
  const of = results.get(name) ?? [];
  const others = results.get(beside) ?? [];
  const ratio = (member: 'per_second' | 'p50_ms'): number =>
    median(of.map((one, turn) => one[member] / (others[turn]?.[member] ?? Number.NaN)));
  return {
    what,
    per_second: Math.round(median(of.map((one) => one.per_second))),
    p50_ms: twoDecimals(median(of.map((one) => one.p50_ms))),
    p99_ms: twoDecimals(median(of.map((one) => one.p99_ms))),
    beside,
    per_second_ratio: Math.round(ratio('per_second') * 1000) / 1000,
    p50_ratio: twoDecimals(ratio('p50_ms')),
    unexpected: of.reduce((sum, one) => sum + otherThan(expected, one), 0),
  };
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}
