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
/** The interval without load: every sample wakes the process. */
const IDLE_SAMPLE_EVERY_MS = 2_000;
/** Below this utilization of the event loop there is no load. */
const IDLE_UTILIZATION = 0.05;

/** Collects garbage after a load, when the event loop is quiet again, so that memory returns to the system. */
export function collectAfterLoads(): { close(): void } {
  const policy = new CollectionPolicy();
  let lastSample = performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    const { utilization } = performance.eventLoopUtilization(lastSample);
    lastSample = performance.eventLoopUtilization();
    sampleAfter(utilization < IDLE_UTILIZATION ? IDLE_SAMPLE_EVERY_MS : SAMPLE_EVERY_MS);
    const bytes = residentBytes();
    if (bytes === undefined || !policy.observe({ utilization, bytes, now_ms: performance.now() })) return;
    collectGarbage();
    policy.collected(bytes, residentBytes() ?? bytes, performance.now());
  }

  function sampleAfter(ms: number): void {
    timer = setTimeout(sample, ms).unref();
  }

  sampleAfter(SAMPLE_EVERY_MS);
  return { close: () => clearTimeout(timer) };
}
