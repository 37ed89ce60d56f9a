import type { BenchOptions } from '../bench.ts';
import { takeTurns } from '../load/turns.ts';
import { figureOf } from '../report/figure.ts';

/** A repeated operation. */
export interface RateCase {
  readonly name: string;
  /** Concurrent operations. */
  readonly concurrency: number;
  /** Runs the operation once, and returns its number of checks. */
  readonly once: () => Promise<number> | number;
}

/** Runs all cases in turns, so that other work of the machine affects all of them, and reports checks per second. */
export async function alternate(
  title: string,
  cases: readonly RateCase[],
  options: BenchOptions,
): Promise<void> {
  const wanted = cases.filter(({ name }) => options.wants(title, name));
  if (wanted.length === 0) return;
  const { rounds, seconds } = options;
  const rates = new Map<string, number[]>(wanted.map(({ name }) => [name, []]));
  await takeTurns(title, { warm: 1, counted: rounds }, options, async (isCounted) => {
    for (const one of wanted) {
      const rate = await perSecond(one, isCounted ? seconds : Math.min(seconds, 2));
      if (isCounted) rates.get(one.name)?.push(rate);
    }
  });
  const rows = wanted.map(({ name }) => {
    const own = rates.get(name) ?? [];
    return { name, figures: { per_second: figureOf(own), us: figureOf(own.map((rate) => 1e6 / rate)) } };
  });
  options.report({ title, rows });
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
