import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervised } from './supervise.ts';

/** Each is given this long before the next is asked too: the edge first finishes what needs the others. */
const AHEAD_MS = 2_000;
/** Whoever has not ended by then is killed; with the database's own end it makes less than 10 s. */
const ALL_WITHIN_MS = 6_500;

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
