import { getHeapStatistics } from 'node:v8';

/** The state of the heap. At `high` there is room for cheap requests only, at `full` for none. */
export type HeapLevel = 'normal' | 'high' | 'full';

export interface HeapWatch {
  level(): HeapLevel;
  /** The used share of the heap that V8 may use, 0 to 1. */
  share(): number;
}

const MEASURE_EVERY_MS = 250;

/** The heap is `high` from `percent` of its limit on, and `full` from half-way between that and the limit on. */
export function heapWatch(percent: number): HeapWatch {
  const high = percent / 100;
  const full = (1 + high) / 2;
  let measured = 0;
  let measuredAt_ms = Number.NEGATIVE_INFINITY;

  /** Measures when it is asked for, so that an idle process sleeps. */
  function share(): number {
    const now_ms = performance.now();
    if (now_ms - measuredAt_ms < MEASURE_EVERY_MS) return measured;
    measuredAt_ms = now_ms;
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    measured = used_heap_size / heap_size_limit;
    return measured;
  }

  return {
    level: () => {
      const used = share();
      return used >= full ? 'full' : used >= high ? 'high' : 'normal';
    },
    share,
  };
}
