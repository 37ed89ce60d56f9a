import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { residentBytes } from './resident-bytes.ts';

/**
 * Collects all garbage and gives freed pages back to the system, for a pause of some 30 ms. V8 by itself waits
 * until it needs the room: after a start some 20 MB of a process's 100 are garbage (sources, parsed descriptors,
 * syntax trees), after a load much more.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: (options: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', flavor: 'last-resort' });
}

const LOOK_EVERY_MS = 1_000;
/** So much above what was left the last time is worth the pause. */
const WORTH_BYTES = 48 * 1024 * 1024;
const COLLECT_EVERY_MS = 5_000;
/** While the event loop is busier than this, V8 collects by itself. */
const QUIET_UTILIZATION = 0.5;

/** Collects garbage after a load, once the event loop is quiet again, so that its memory goes back to the system. */
export function collectAfterLoads(): { close(): void } {
  let leftBytes = Number.POSITIVE_INFINITY;
  let collectedAt_ms = Number.NEGATIVE_INFINITY;
  let before = performance.eventLoopUtilization();

  const looking = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    const bytes = residentBytes();
    if (bytes === undefined) return;
    leftBytes = Math.min(leftBytes, bytes);
    const isDue = performance.now() - collectedAt_ms >= COLLECT_EVERY_MS;
    if (utilization > QUIET_UTILIZATION || bytes < leftBytes + WORTH_BYTES || !isDue) return;
    collectGarbage();
    collectedAt_ms = performance.now();
    leftBytes = residentBytes() ?? bytes;
  }, LOOK_EVERY_MS).unref();

  return { close: () => clearInterval(looking) };
}
