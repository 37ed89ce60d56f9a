import { Worker } from 'node:worker_threads';
import { unavailable } from '@gatehouse/kit/fault';
import { type LongJsonJob, type LongJsonResult, READY } from './read-long-json.ts';

/** For one body, without its wait for earlier ones. 14.5 MiB take 0.1 s, in the worst case 0.5 s. */
const TIMEOUT_MS = 5_000;
/** For the modules of a new thread. They take 0.3 s, and seconds on a busy machine. */
const READY_TIMEOUT_MS = 30_000;
/** A thread that is idle for this time ends, which frees its memory. */
const IDLE_MS = 10_000;
const MAX_HEAP_MIB = 128;

/** A body that is sent to the thread. */
interface SentBody {
  readonly worker: Worker;
  readonly settle: (result: LongJsonResult | undefined) => void;
  timer: NodeJS.Timeout;
}

/** Reads long JSON bodies on one worker thread, so that they do not block the event loop. The first body starts it. */
export class LongJson {
  #worker: Worker | undefined;
  #isReady = false;
  #idle: NodeJS.Timeout | undefined;
  readonly #sent = new Map<number, SentBody>();
  #lastId = 0;

  /**
   * The body's memory is transferred to the thread: the buffer is empty afterwards.
   *
   * @throws SERVICE_UNAVAILABLE if the thread ended or took too long
   */
  async read(job: Omit<LongJsonJob, 'id'>): Promise<LongJsonResult> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const result = await new Promise<LongJsonResult | undefined>((settle) => {
      const timer = this.#timer(worker, this.#isReady ? TIMEOUT_MS : READY_TIMEOUT_MS);
      this.#sent.set(id, { worker, settle, timer });
      worker.postMessage({ id, ...job } satisfies LongJsonJob, [job.body.buffer as ArrayBuffer]);
    });
    if (result === undefined) throw unavailable(new Error('a long body could not be read'));
    return result;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    this.#isReady = false;
    worker.on('message', (message: LongJsonResult | typeof READY) => {
      if (message === READY) this.#ready(worker);
      else this.#settle(message.id, message);
    });
    // A thread that ends fails its bodies; the next body starts another thread. 'error' comes before 'exit'.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const [id, body] of [...this.#sent]) if (body.worker === worker) this.#settle(id, undefined);
    });
    return worker;
  }

  #ready(worker: Worker): void {
    if (this.#worker === worker) this.#isReady = true;
    this.#restartTimers(worker);
  }

  #settle(id: number, result: LongJsonResult | undefined): void {
    const body = this.#sent.get(id);
    if (body === undefined) return;
    this.#sent.delete(id);
    clearTimeout(body.timer);
    body.settle(result);
    this.#restartTimers(body.worker); // the thread continues with the next body
    if (this.#sent.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#worker && this.#end(this.#worker), IDLE_MS).unref();
  }

  #restartTimers(worker: Worker): void {
    for (const body of this.#sent.values()) {
      if (body.worker !== worker) continue;
      clearTimeout(body.timer);
      body.timer = this.#timer(worker, TIMEOUT_MS);
    }
  }

  #timer(worker: Worker, timeout_ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#end(worker), timeout_ms);
  }

  /** The next body starts another thread. */
  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    void worker.terminate();
  }
}
