import { getHeapStatistics } from 'node:v8';

/** How full the heap is: whether there is room for everything, for cheap requests only, or for none. */
export type HeapLevel = 'normal' | 'high' | 'full';

export interface HeapWatch {
  level(): HeapLevel;
  /** Used part of what V8 may use, 0 to 1. */
  share(): number;
  close(): void;
}

const LOOK_EVERY_MS = 250;

/** From `percent` of its limit on the heap is high, and from half-way between that and the limit on it is full. */
export function heapWatch(percent: number): HeapWatch {
  const high = percent / 100;
  const full = (1 + high) / 2;
  let share = 0;

  const looking = setInterval(() => {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    share = used_heap_size / heap_size_limit;
  }, LOOK_EVERY_MS).unref();

  return {
    level: () => (share >= full ? 'full' : share >= high ? 'high' : 'normal'),
    share: () => share,
    close: () => clearInterval(looking),
  };
}
