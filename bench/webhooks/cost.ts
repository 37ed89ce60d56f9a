import type { Stack } from '@gatehouse/stack/start-stack';
import type { BenchOptions } from '../bench.ts';
import type { LoadCase } from '../load/in-turns.ts';
import { takeTurns } from '../load/turns.ts';
import type { Processes } from '../parts/processes.ts';
import { stackTimes_us, type Times, timesOf } from '../parts/processor-times.ts';
import { figureOf, figuresOf, ratioOf } from '../report/figure.ts';

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
  options: BenchOptions,
): Promise<void> {
  const title = `processor time of ${execution.name}`;
  if (!options.wants(title)) return;
  const bares: number[] = [];
  const each: Times[] = [];
  const turns = { warm: WARM_TURNS, counted: options.rounds * options.seconds };
  await takeTurns(title, turns, options, async (isCounted) => {
    const one = await timesOf(bare, () => ({ bare: running.cpuTime_us() }));
    const times = await timesOf(execution, () => stackTimes_us(stack, postgres_pid));
    if (!isCounted) return;
    bares.push(one.bare ?? Number.NaN);
    each.push(times);
  });
  const all = each.map((times) => Object.values(times).reduce((sum, time_us) => sum + time_us, 0));
  options.report({
    title,
    about: 'Microseconds per execution.',
    rows: [
      ...Object.entries(figuresOf(each)).map(([name, us]) => ({ name, figures: { us } })),
      {
        name: 'all',
        figures: {
          us: figureOf(all),
          times_bare: ratioOf(all, bares),
          of_mattermost: figureOf(all.map((us) => us / MATTERMOST_US)),
        },
      },
    ],
  });
}
