import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESSES } from './processes.ts';
import type { Supervised } from './supervise.ts';

/** How long to wait for one before the next is asked to stop: the edge first finishes what needs the others. */
const AHEAD_MS = 2_000;
/** A process that has not ended by then is killed. Together with the database's shutdown this stays below 10 s. */
const ALL_WITHIN_MS = 6_500;

/** Processes of the suite as they are to be stopped. */
export function inStopOrder(processes: readonly Supervised[]): Supervised[] {
  const rank = ({ name }: Supervised): number =>
    PROCESSES.some((row) => row.name === name && row.stops_first) ? 0 : 1;
  return processes.toSorted((one, other) => rank(one) - rank(other));
}

/** Stops processes in the order given. */
export async function stopAll(processes: readonly Supervised[]): Promise<void> {
  const killer = setTimeout(() => {
    for (const one of processes) one.kill();
  }, ALL_WITHIN_MS);
  const stopping: Promise<void>[] = [];
  for (const one of processes) {
    const stopped = one.stop();
    stopping.push(stopped);
    await Promise.race([stopped, sleep(AHEAD_MS, undefined, { ref: false })]);
  }
  await Promise.all(stopping);
  clearTimeout(killer);
}
