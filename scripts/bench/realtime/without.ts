import type { BenchOptions } from '../bench.ts';
import { median, quantile } from '../load.ts';
import { inTurn, measure, openReplica, PATTERNS } from './one-channel.ts';
import { CROWD } from './population.ts';
import type { Surroundings } from './surroundings.ts';
import { REALTIME_TRICKS, type RealtimeTrick } from './tricks.ts';

const WARM_TURNS = 3;

/**
 * What each trick brings of a delivery in one channel: per cent of the processor time that the replica takes for it. A
 * replica with all tricks and one without are told of messages in turn.
 */
export async function without(
  names: readonly RealtimeTrick[],
  around: Surroundings,
  { rounds, seconds, quick, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const count = quick ? CROWD / 10 : CROWD;
  const figures: Record<string, unknown> = {};
  const whole = await openReplica(around, count);
  for (const name of names) {
    const plain = await openReplica(around, count, name);
    const gains = PATTERNS.map((): number[] => []);
    for (let turn = -WARM_TURNS; turn < rounds * seconds; turn++)
      for (const [n, pattern] of PATTERNS.entries()) {
        const cpu_us = new Map<unknown, number>();
        for (const one of inTurn([whole, plain], turn))
          cpu_us.set(one, (await measure(one, pattern, count)).cpu_us);
        if (turn >= 0) gains[n]?.push((cpu_us.get(plain) ?? Number.NaN) / (cpu_us.get(whole) ?? 1) - 1);
      }
    plain.clients.close();
    plain.server.stop();
    for (const [n, pattern] of PATTERNS.entries())
      figures[`${name}, ${pattern.name}`] = { what: REALTIME_TRICKS[name].what, ...rowOf(gains[n] ?? []) };
    say(`${name} measured`);
  }
  return figures;
}

/** The median of the turns in per cent, and between what half of them lie. */
function rowOf(gains: readonly number[]): Record<string, number> {
  const percent = (value: number): number => Math.round(value * 1000) / 10;
  return {
    brings: percent(median(gains)),
    half_from: percent(quantile(gains, 0.25)),
    half_to: percent(quantile(gains, 0.75)),
  };
}
