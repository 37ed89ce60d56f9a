import type { FlushQueue } from '../../../services/realtime/src/connections/flush-queue.ts';

/** Each frame is handed over by itself, as soon as it is written. */
export function flushQueue(): FlushQueue {
  let waiting: (() => void)[] = [];
  return {
    add: (flush) => waiting.push(flush),
    frame: () => {
      const flushes = waiting;
      waiting = [];
      for (const flush of flushes) flush();
    },
  };
}
