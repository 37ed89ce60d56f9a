import { getHeapStatistics } from 'node:v8';

/** The state of the heap. At `high` there is room for cheap requests only, at `full` for none. */
export type HeapLevel = 'normal' | 'high' | 'full';

export interface HeapWatch {
  level(): HeapLevel;
  /** The used share of the heap that V8 may use, 0 to 1. */
  share(): number;
  close(): void;
}

const MEASURE_EVERY_MS = 250;

/** The heap is `high` from `percent` of its limit on, and `full` from half-way between that and the limit on. */
export function heapWatch(percent: number): HeapWatch {
  const high = percent / 100;
  const full = (1 + high) / 2;
  let share = 0;

  const measuring = setInterval(() => {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    share = used_heap_size / heap_size_limit;
  }, MEASURE_EVERY_MS).unref();

  return {
    level: () => (share >= full ? 'full' : share >= high ? 'high' : 'normal'),
    share: () => share,
    close: () => clearInterval(measuring),
  };
}
