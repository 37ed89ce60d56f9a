import { setTimeout as pause } from 'node:timers/promises';
import type { OpenConnection } from './open-connection.ts';
import type { Settings } from './settings.ts';

const STEP_MS = 25;

/** Lets all connections go, evenly over the time, so that they do not all come to the others at once. */
export async function drainConnections(
  all: ReadonlySet<OpenConnection>,
  spread_ms: number,
  { leave_within_ms, close_within_ms }: Pick<Settings, 'leave_within_ms' | 'close_within_ms'>,
): Promise<void> {
  const staying = [...all];
  const start = performance.now();
  for (let left = 0; left < staying.length; ) {
    const due = spread_ms > 0 ? (performance.now() - start) / spread_ms : 1;
    const until = Math.min(Math.floor(due * staying.length) + 1, staying.length);
    for (; left < until; left++) staying[left]?.leave();
    if (left < staying.length) await pause(Math.min(STEP_MS, spread_ms));
  }
  // Each has its own times after that; all.close() is for a process that has no time left.
  const deadline = performance.now() + leave_within_ms + close_within_ms + 1_000;
  while (all.size > 0 && performance.now() < deadline) await pause(STEP_MS);
}
