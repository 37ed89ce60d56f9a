import { Worker } from 'node:worker_threads';
import { unavailable } from '@gatehouse/kit/fault';
import type { LongJsonJob, LongJsonResult } from './read-long-json.ts';

/** Reads long JSON bodies on a worker thread, so that they do not block the event loop. */
export interface LongJson {
  /**
   * The body's memory is transferred to the thread: the buffer is empty afterwards.
   *
   * @throws SERVICE_UNAVAILABLE if the thread ended or took too long
   */
  read(job: Omit<LongJsonJob, 'id'>): Promise<LongJsonResult>;
  close(): Promise<void>;
}

/** From the beginning of a body's turn. A body of 14.5 MiB takes 0.1 s, the worst of them 0.5 s. */
const TIMEOUT_MS = 5_000;
/** A thread that is idle for this time ends, which frees its memory. */
const IDLE_MS = 10_000;
const MAX_HEAP_MIB = 128;

interface Waiting {
  readonly worker: Worker;
  readonly settle: (result: LongJsonResult | undefined) => void;
  readonly timer: NodeJS.Timeout;
}

/** One thread for all bodies. It starts with the first body. */
export function longJson(): LongJson {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const waiting = new Map<number, Waiting>();
  let ids = 0;

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    started.on('message', (result: LongJsonResult) => settle(result.id, result));
    // The thread may start slowly on a busy machine.
    started.on('online', () => {
      for (const { worker: by, timer } of waiting.values()) if (by === started) timer.refresh();
    });
    // A thread that ends fails its bodies; the next body starts another thread. 'error' comes before 'exit'.
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      for (const [id, one] of [...waiting]) if (one.worker === started) settle(id, undefined);
    });
    return started;
  }

  function settle(id: number, result: LongJsonResult | undefined): void {
    const one = waiting.get(id);
    if (one === undefined) return;
    waiting.delete(id);
    clearTimeout(one.timer);
    one.settle(result);
    // The thread continues with the next body.
    for (const { worker: by, timer } of waiting.values()) if (by === one.worker) timer.refresh();
    if (waiting.size > 0) return;
    worker?.unref();
    idle = setTimeout(() => worker && end(worker), IDLE_MS).unref();
  }

  /** The next body starts another thread. */
  function end(ending: Worker): void {
    if (worker === ending) worker = undefined;
    void ending.terminate();
  }

  async function read(job: Omit<LongJsonJob, 'id'>): Promise<LongJsonResult> {
    clearTimeout(idle);
    worker ??= start();
    worker.ref();
    const reading = worker;
    const id = ids++;
    const result = await new Promise<LongJsonResult | undefined>((settleOne) => {
      const timer = setTimeout(() => end(reading), TIMEOUT_MS);
      waiting.set(id, { worker: reading, settle: settleOne, timer });
      reading.postMessage({ id, ...job } satisfies LongJsonJob, [job.body.buffer as ArrayBuffer]);
    });
    if (result === undefined) throw unavailable(new Error('a long body could not be read'));
    return result;
  }

  return {
    read,
    close: async () => {
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}
