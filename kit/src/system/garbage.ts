import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CollectionPolicy } from './collection-policy.ts';
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

/** Short enough to find a pause between two loads. */
const SAMPLE_EVERY_MS = 250;

/** Collects garbage after a load, when the event loop is quiet again, so that memory returns to the system. */
export function collectAfterLoads(): { close(): void } {
  const policy = new CollectionPolicy();
  let lastSample = performance.eventLoopUtilization();

  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(lastSample);
    lastSample = performance.eventLoopUtilization();
    const bytes = residentBytes();
    if (bytes === undefined || !policy.observe({ utilization, bytes, now_ms: performance.now() })) return;
    collectGarbage();
    policy.collected(bytes, residentBytes() ?? bytes, performance.now());
  }, SAMPLE_EVERY_MS).unref();

  return { close: () => clearInterval(timer) };
}
