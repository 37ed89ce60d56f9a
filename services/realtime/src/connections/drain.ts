import { setTimeout as pause } from 'node:timers/promises';
import type { OpenConnection } from './open-connection.ts';
import type { Settings } from './settings.ts';

const STEP_MS = 25;
/** For clients to answer the last close frames. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * Lets all connections go, evenly over the time, so that they do not all come to the others at once. The rest of the time
 * that a process has is for its sessions: who has not gone by then is cut off, and resumes as the others do.
 */
export async function drainConnections(
  all: ReadonlySet<OpenConnection>,
  spread_ms: number,
  { leave_within_ms }: Pick<Settings, 'leave_within_ms'>,
): Promise<void> {
  const staying = [...all];
  const start = performance.now();
  for (let left = 0; left < staying.length; ) {
    const due = spread_ms > 0 ? (performance.now() - start) / spread_ms : 1;
    const until = Math.min(Math.floor(due * staying.length) + 1, staying.length);
    for (; left < until; left++) staying[left]?.leave();
    if (left < staying.length) await pause(Math.min(STEP_MS, spread_ms));
  }
  const deadline = performance.now() + leave_within_ms + ANSWER_WITHIN_MS;
  while (all.size > 0 && performance.now() < deadline) await pause(STEP_MS);
  for (const one of [...all]) one.cut();
}
