import type { Times } from '../parts/processor-times.ts';

/** Of a core: what is above is for peaks, for replicas that are away, and for garbage. */
const BUSY = 0.6;
const RATES = [1_000, 10_000, 100_000, 1_000_000] as const;

/** How many cores each process needs for so many requests a second, by what each takes for one (microseconds). */
export function sizing(mix_us: Times): Record<string, Record<string, number>> {
  return Object.fromEntries(
    RATES.map((rate) => [
      `cores for ${rate.toLocaleString('en')}/s`,
      Object.fromEntries(
        Object.entries(mix_us).map(([name, us]) => [name, Math.ceil((rate * us) / 1_000_000 / BUSY)]),
      ),
    ]),
  );
}
