import type { Stack } from '@gatehouse/stack/start-stack';
import { countUnexpected, type LoadCase, turnOf } from '../load/in-turns.ts';
import { load } from '../load/load.ts';
import { cpuTimeOf_us, cpuTimeOfChildren_us } from './processes.ts';

/** Processor time in microseconds, by the name of a process. */
export type Times = Readonly<Record<string, number>>;

/** Measures the processor time of each process per request, during one turn of load. */
export async function timesOf(one: LoadCase, used: () => Times): Promise<Times> {
  const order = turnOf(one);
  const before = used();
  const result = await load(order);
  const after = used();
  if (countUnexpected(one.expected, result) > 0)
    throw new Error(`answered ${JSON.stringify(result.statuses)}`);
  const answered = result.statuses[one.expected] ?? 0;
  return Object.fromEntries(
    Object.entries(after).map(([name, time_us]) => [name, (time_us - (before[name] ?? 0)) / answered]),
  );
}

/** The processor time so far of a stack's processes and of its PostgreSQL. A process is named by its services. */
export function stackTimes_us(stack: Stack, postgres_pid: number): Times {
  const namesOf = new Map<number | undefined, string[]>();
  for (const [name, pid] of Object.entries(stack.pids()))
    if (name !== 'postgres') namesOf.set(pid, [...(namesOf.get(pid) ?? []), name]);
  const processes = [...namesOf].map(([pid, names]) => [nameOf(names), cpuTimeOf_us(pid)]);
  return { ...Object.fromEntries(processes), postgres: cpuTimeOfChildren_us(postgres_pid) };
}

function nameOf(services: readonly string[]): string {
  return services.length <= 4 ? services.join('+') : `${services.length} services`;
}
