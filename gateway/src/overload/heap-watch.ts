import { getHeapStatistics } from 'node:v8';
import { collectGarbage } from '@gatehouse/kit/garbage';

/** How full the heap is: whether there is room for everything, for cheap requests only, or for none. */
export type HeapLevel = 'normal' | 'high' | 'full';

export interface HeapWatch {
  level(): HeapLevel;
  /** Used part of what V8 may use, 0 to 1. */
  share(): number;
  close(): void;
}

const LOOK_EVERY_MS = 500;
/** So much above what was left the last time is worth the pause of a collection. */
const WORTH_BYTES = 48 * 1024 * 1024;
const COLLECT_EVERY_MS = 5_000;
/** While the event loop is busier than this, V8 collects by itself. */
const QUIET_UTILIZATION = 0.5;

/**
 * Watches the heap. From `percent` of its limit on it is high, and from half-way between that and the limit on
 * it is full. After a load V8 keeps its garbage for as long as nothing new is allocated: it is collected here, so
 * that the memory goes back to the system.
 */
export function heapWatch(percent: number): HeapWatch {
  const high = percent / 100;
  const full = (1 + high) / 2;
  let share = 0;
  let leftBytes = Number.POSITIVE_INFINITY;
  let collectedAt_ms = Number.NEGATIVE_INFINITY;
  let utilization = performance.eventLoopUtilization();

  function look(): void {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    share = used_heap_size / heap_size_limit;
    const since = performance.eventLoopUtilization(utilization);
    utilization = performance.eventLoopUtilization();
    const rss = process.memoryUsage.rss();
    leftBytes = Math.min(leftBytes, rss);
    if (since.utilization < QUIET_UTILIZATION && rss > leftBytes + WORTH_BYTES) collect();
  }

  function collect(): void {
    if (performance.now() - collectedAt_ms < COLLECT_EVERY_MS) return;
    collectGarbage();
    collectedAt_ms = performance.now();
    leftBytes = process.memoryUsage.rss();
  }

  const looking = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    level: () => (share >= full ? 'full' : share >= high ? 'high' : 'normal'),
    share: () => share,
    close: () => clearInterval(looking),
  };
}
