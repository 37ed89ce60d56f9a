import type { Suite } from '../../suite.ts';
import type { BenchOptions } from '../bench.ts';
import { type LoadCase, otherThan, turnOf } from '../in-turns.ts';
import { load, median } from '../load.ts';
import { cpuTimeOf_us, cpuTimeOfChildren_us } from '../processes.ts';

const WARM_TURNS = 2;
/**
 * Mattermost 308 hooks/s with 8 connections, on a comparable machine with two cores: had it kept both busy, a hook
 * would have taken so much processor time.
 */
const MATTERMOST_US = (2 * 1_000_000) / 308;

/**
 * The processor time that an execution takes, in microseconds, of each process and of all together, and how much that is
 * of Mattermost's. Other work on the machine changes it far less than it changes rates.
 */
export async function cost(
  one: LoadCase,
  { suite, postgres_pid }: { readonly suite: Suite; readonly postgres_pid: number },
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, number>> {
  const turns: Record<string, number>[] = [];
  for (let turn = -WARM_TURNS; turn < rounds * seconds; turn++) {
    const before = used_us(suite, postgres_pid);
    const result = await load(turnOf(one));
    const after = used_us(suite, postgres_pid);
    if (otherThan(one.expected, result) > 0)
      say(`${one.name} was answered ${JSON.stringify(result.statuses)}`);
    const answered = result.statuses[one.expected] ?? 0;
    const of = Object.entries(after).map(([name, time_us]) => [
      name,
      (time_us - (before[name] ?? 0)) / answered,
    ]);
    if (turn >= 0) turns.push(Object.fromEntries(of));
  }
  say(`processor time of ${one.name}`);
  const names = Object.keys(turns[0] ?? {});
  const us = Object.fromEntries(
    names.map((name) => [name, Math.round(median(turns.map((turn) => turn[name] ?? Number.NaN)))]),
  );
  const all = median(turns.map((turn) => Object.values(turn).reduce((sum, time_us) => sum + time_us, 0)));
  return { ...us, all: Math.round(all), of_mattermost: Math.round((all / MATTERMOST_US) * 1000) / 1000 };
}

function used_us(suite: Suite, postgres_pid: number): Record<string, number> {
  const processes = Object.entries(suite.pids()).filter(([name]) => name !== 'postgres');
  return {
    ...Object.fromEntries(processes.map(([name, pid]) => [name, cpuTimeOf_us(pid)])),
    postgres: cpuTimeOfChildren_us(postgres_pid),
  };
}
