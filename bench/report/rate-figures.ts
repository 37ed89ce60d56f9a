import { type Figure, figureOf, ratioOf } from './figure.ts';

/** A turn of load. */
export interface RateTurn {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Rate and latency of the turns, and the ratio of their rates to those of the compared case, if there is one. */
export function rateFigures(
  turns: readonly RateTurn[],
  compared?: readonly RateTurn[],
): Readonly<Record<string, Figure>> {
  const of = (member: keyof RateTurn, those = turns): number[] => those.map((turn) => turn[member]);
  return {
    per_second: figureOf(of('per_second')),
    p50_ms: figureOf(of('p50_ms')),
    p99_ms: figureOf(of('p99_ms')),
    ...(compared && { rate_ratio: ratioOf(of('per_second'), of('per_second', compared)) }),
  };
}
