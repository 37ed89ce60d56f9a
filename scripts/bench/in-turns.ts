import type { BenchOptions } from './bench.ts';
import { type LoadRequest, type LoadResult, load } from './load.ts';

/** What is measured: where, with how many connections. */
export interface LoadCase {
  readonly name: string;
  readonly what: string;
  /** The server's; a path of it does not count. */
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
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
    for (const { name, url, connections, requests, expected } of cases) {
      const result = await load({
        url: new URL(url).origin,
        connections,
        seconds: 1,
        lead_seconds: LEAD_SECONDS,
        requests,
      });
      if (otherThan(expected, result) > 0) say(`${name} was answered ${JSON.stringify(result.statuses)}`);
      if (turn > 0) results.get(name)?.push(result);
    }
    if (turn === 0) say('warm');
    else if (turn > 0 && turn % seconds === 0) say(`round ${turn / seconds} of ${rounds}`);
  }
  return results;
}

/** Answers that a case should not have: a figure is worth nothing with them. */
export function otherThan(expected: number, { statuses }: LoadResult): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (Number(status) === expected ? sum : sum + count),
    0,
  );
}
