import { Worker } from 'node:worker_threads';
import { unavailable } from '@gatehouse/kit/fault';
import type { LongJsonJob, LongJsonResult } from './job.ts';

/** Reads long JSON bodies, so that the event loop does not stand still for it. */
export interface LongJson {
  /**
   * The body's bytes are handed over: they are empty afterwards.
   *
   * @throws SERVICE_UNAVAILABLE when the thread ended or took too long
   */
  read(job: Omit<LongJsonJob, 'id'>): Promise<LongJsonResult>;
  close(): Promise<void>;
}

/** From when it begins. A body of 14.5 MiB takes a tenth of a second, the worst of them half a second. */
const TIMEOUT_MS = 5_000;
/** A thread that nobody has needed for so long gives its memory back. */
const IDLE_MS = 10_000;
const MAX_HEAP_MIB = 128;

interface Waiting {
  readonly worker: Worker;
  readonly settle: (result: LongJsonResult | undefined) => void;
  readonly timer: NodeJS.Timeout;
}

/** One thread, started when there is something to read. */
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
    // One that ends takes its own bodies with it; the next one starts another. Its 'error' comes before.
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
    for (const { worker: by, timer } of waiting.values()) if (by === one.worker) timer.refresh(); // the next has begun
    if (waiting.size > 0) return;
    worker?.unref();
    idle = setTimeout(() => worker && end(worker), IDLE_MS).unref();
  }

  /** What comes from now on is for another. */
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
