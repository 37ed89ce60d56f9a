import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { residentBytes } from './resident-bytes.ts';

/**
 * Collects all garbage and returns freed pages to the system, in a pause of some 30 ms. V8 would wait until it needs
 * the memory: after a start some 20 MB of a process's 100 are garbage (sources, parsed descriptors, syntax trees),
 * after a load much more.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: (options: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', flavor: 'last-resort' });
}

/** Short, so that a pause between two loads is noticed. */
const LOOK_EVERY_MS = 250;
/** Growth since the last collection that makes the pause worthwhile. */
const WORTH_BYTES = 48 * 1024 * 1024;
const COLLECT_EVERY_MS = 5_000;
/** Above this utilization of the event loop, V8 collects by itself. */
const QUIET_UTILIZATION = 0.5;

/** Collects garbage after a load, when the event loop is quiet again, so that memory returns to the system. */
export function collectAfterLoads(): { close(): void } {
  let leftBytes = Number.POSITIVE_INFINITY;
  let collectedAt_ms = Number.NEGATIVE_INFINITY;
  /** Collections in a row that freed little. */
  let fruitless = 0;
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
    const left = residentBytes() ?? bytes;
    fruitless = bytes - left < WORTH_BYTES ? fruitless + 1 : 0;
    // One may have come while the memory was in use; a second one shows that the process needs it.
    if (fruitless !== 1) leftBytes = left;
  }, LOOK_EVERY_MS).unref();

  return { close: () => clearInterval(looking) };
}
