import type { Stack } from '@gatehouse/stack/start-stack';
import type { BenchOptions } from '../bench.ts';
import type { LoadCase } from '../load/in-turns.ts';
import { median, medians } from '../load/load.ts';
import type { Processes } from '../parts/processes.ts';
import { stackTimes_us, type Times, timesOf } from '../parts/processor-times.ts';

const WARM_TURNS = 2;
/**
 * Mattermost answered 308 hooks per second with 8 connections, on a comparable machine: at most this much processor
 * time per hook, if it kept both cores busy.
 */
const MATTERMOST_US = (2 * 1_000_000) / 308;

export interface Measured {
  readonly execution: LoadCase;
  readonly stack: Stack;
  readonly postgres_pid: number;
  /** A bare Fastify route, and the process that serves it. */
  readonly bare: LoadCase;
  readonly running: Processes;
}

/**
 * Processor time per execution in microseconds: of each process and in total, and the ratios to a bare request and to
 * Mattermost's hook. Other work of the machine affects it far less than rates.
 */
export async function cost(
  { execution, stack, postgres_pid, bare, running }: Measured,
  { rounds, seconds, say }: BenchOptions,
): Promise<Times> {
  const turns: Times[] = [];
  for (let turn = -WARM_TURNS; turn < rounds * seconds; turn++) {
    const one = await timesOf(bare, () => ({ bare: running.cpuTime_us() }));
    const each = await timesOf(execution, () => stackTimes_us(stack, postgres_pid));
    const all = Object.values(each).reduce((sum, time_us) => sum + time_us, 0);
    if (turn >= 0) turns.push({ ...each, all, times_bare: all / (one.bare ?? Number.NaN) });
  }
  say(`processor time of ${execution.name}`);
  const all_us = median(turns.map(({ all }) => all ?? Number.NaN));
  return {
    ...medians(turns, Math.round),
    of_mattermost: Math.round((all_us / MATTERMOST_US) * 1000) / 1000,
  };
}
