import type { Times } from '../parts/processor-times.ts';

/** Target utilisation of a core. The rest is for peaks, lost replicas, and garbage collection. */
const UTILISATION = 0.6;
const RATES = [1_000, 10_000, 100_000, 1_000_000] as const;

/**
 * The cores that each process needs for rates of requests per second.
 *
 * @param mix_us processor time per request, by process
 */
export function sizing(mix_us: Times): Record<string, Record<string, number>> {
  return Object.fromEntries(
    RATES.map((rate) => [
      `cores for ${rate.toLocaleString('en')}/s`,
      Object.fromEntries(
        Object.entries(mix_us).map(([name, us]) => [name, Math.ceil((rate * us) / 1_000_000 / UTILISATION)]),
      ),
    ]),
  );
}
