import type { Suite } from '../../suite.ts';
import type { BenchOptions } from '../bench.ts';
import { type LoadCase, otherThan, turnOf } from '../in-turns.ts';
import { load, median } from '../load.ts';
import { cpuTimeOf_us, cpuTimeOfChildren_us, type Processes } from '../processes.ts';

const WARM_TURNS = 2;
/**
 * Mattermost 308 hooks/s with 8 connections, on a comparable machine with two cores: had it kept both busy, a hook
 * would have taken so much processor time.
 */
const MATTERMOST_US = (2 * 1_000_000) / 308;

export interface Measured {
  readonly execution: LoadCase;
  readonly suite: Suite;
  readonly postgres_pid: number;
  /** A bare Fastify route, and the process that serves it. */
  readonly bare: LoadCase;
  readonly running: Processes;
}

type Times = Readonly<Record<string, number>>;

/**
 * The processor time that an execution takes, in microseconds: of each process, of all together, and how much that is of
 * a bare request and of Mattermost's hook. Other work on the machine changes it far less than it changes rates.
 */
export async function cost(
  { execution, suite, postgres_pid, bare, running }: Measured,
  { rounds, seconds, say }: BenchOptions,
): Promise<Times> {
  const turns: Times[] = [];
  for (let turn = -WARM_TURNS; turn < rounds * seconds; turn++) {
    const one = await timesOf(bare, () => ({ bare: running.cpuTime_us() }));
    const each = await timesOf(execution, () => used_us(suite, postgres_pid));
    const all = Object.values(each).reduce((sum, time_us) => sum + time_us, 0);
    if (turn >= 0) turns.push({ ...each, all, times_bare: all / (one.bare ?? Number.NaN) });
  }
  say(`processor time of ${execution.name}`);
  const medians = Object.keys(turns[0] ?? {}).map((name): [string, number] => [
    name,
    Math.round(median(turns.map((turn) => turn[name] ?? Number.NaN))),
  ]);
  const all_us = median(turns.map(({ all }) => all ?? Number.NaN));
  return {
    ...Object.fromEntries(medians),
    of_mattermost: Math.round((all_us / MATTERMOST_US) * 1000) / 1000,
  };
}

/** What each process takes for a request, while a second of them is sent. */
async function timesOf(one: LoadCase, used: () => Times): Promise<Times> {
  const before = used();
  const result = await load(turnOf(one));
  const after = used();
  if (otherThan(one.expected, result) > 0) throw new Error(`answered ${JSON.stringify(result.statuses)}`);
  const answered = result.statuses[one.expected] ?? 0;
  return Object.fromEntries(
    Object.entries(after).map(([name, time_us]) => [name, (time_us - (before[name] ?? 0)) / answered]),
  );
}

function used_us(suite: Suite, postgres_pid: number): Times {
  const processes = Object.entries(suite.pids()).filter(([name]) => name !== 'postgres');
  return {
    ...Object.fromEntries(processes.map(([name, pid]) => [name, cpuTimeOf_us(pid)])),
    postgres: cpuTimeOfChildren_us(postgres_pid),
  };
}
