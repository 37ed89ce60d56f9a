import { Worker } from 'node:worker_threads';
import { unavailable } from '@gatehouse/kit/fault';
import type { PasswordJob, PasswordResult } from './password-worker.ts';

interface Thread {
  readonly worker: Worker;
  readonly jobs: Map<number, (result: PasswordResult['result']) => void>;
}

/** Threads that hash passwords: up to `size`, each started when a job finds no idle one. */
export class PasswordThreads {
  readonly #size: number;
  readonly #threads = new Set<Thread>();
  #jobs = 0;

  constructor(size: number) {
    this.#size = size;
  }

  async hash(password: string): Promise<string> {
    return String(await this.#run(password, undefined));
  }

  async verify(password: string, password_hash: string): Promise<boolean> {
    return (await this.#run(password, password_hash)) === true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  async #run(password: string, password_hash: string | undefined): Promise<string | boolean> {
    const { worker, jobs } = this.#leastBusy();
    const id = this.#jobs++;
    worker.ref();
    const result = await new Promise<PasswordResult['result']>((resolve) => {
      jobs.set(id, resolve);
      worker.postMessage({ id, password, password_hash } satisfies PasswordJob);
    });
    if (result === undefined) throw unavailable(new Error('a password could not be hashed'));
    return result;
  }

  #leastBusy(): Thread {
    const [best] = [...this.#threads].sort((one, other) => one.jobs.size - other.jobs.size);
    if (best === undefined || (best.jobs.size > 0 && this.#threads.size < this.#size)) return this.#start();
    return best;
  }

  #start(): Thread {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
    const thread: Thread = { worker, jobs: new Map() };
    this.#threads.add(thread);
    worker.on('message', ({ id, result }: PasswordResult) => {
      thread.jobs.get(id)?.(result);
      thread.jobs.delete(id);
      if (thread.jobs.size === 0) worker.unref(); // an idle thread must not keep the process alive
    });
    // A thread that ends fails its jobs, and the next job starts another. Its 'error' event comes before 'exit'.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#threads.delete(thread);
      for (const settle of thread.jobs.values()) settle(undefined);
    });
    return thread;
  }
}
