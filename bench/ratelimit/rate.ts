import type { BenchOptions } from '../bench.ts';
import { median } from '../load/load.ts';

/** A repeated operation. */
export interface RateCase {
  readonly name: string;
  /** Concurrent operations. */
  readonly concurrency: number;
  /** Runs the operation once, and returns its number of checks. */
  readonly once: () => Promise<number> | number;
}

/**
 * Runs all cases in turns, so that other work of the machine affects all of them. Returns medians of checks per second.
 */
export async function alternate(
  cases: readonly RateCase[],
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const rates = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const one of cases) {
      const rate = await perSecond(one, round === 0 ? Math.min(seconds, 2) : seconds);
      if (round > 0) rates.get(one.name)?.push(rate); // the first round warms up
    }
    say(round === 0 ? 'warm' : `round ${round} of ${rounds}`);
  }
  return Object.fromEntries(
    [...rates].map(([name, measured]) => {
      const rate = median(measured);
      return [name, { per_second: Math.round(rate), us: Math.round(1e9 / rate) / 1000 }];
    }),
  );
}

export async function perSecond({ concurrency, once }: RateCase, seconds: number): Promise<number> {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let count = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      const done = once();
      const checks = typeof done === 'number' ? done : await done;
      count += checks; // read after the wait, when other workers have counted too
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return (count * 1000) / (performance.now() - startedAt);
}
