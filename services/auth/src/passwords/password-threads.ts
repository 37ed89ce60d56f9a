import { Worker } from 'node:worker_threads';
import { unavailable } from '@gatehouse/kit/fault';
import type { PasswordJob, PasswordResult } from './password-worker.ts';

/** Threads that hash passwords. */
export interface PasswordThreads {
  /** The hash. */
  hash(password: string): Promise<string>;
  verify(password: string, password_hash: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly jobs: Map<number, (result: PasswordResult['result']) => void>;
}

/** Starts up to `size` threads, each when a job finds no idle one. */
export function passwordThreads(size: number): PasswordThreads {
  const threads = new Set<Thread>();
  let jobs = 0;

  async function run(password: string, password_hash: string | undefined): Promise<string | boolean> {
    const thread = leastBusy();
    const id = jobs++;
    thread.worker.ref();
    const result = await new Promise<PasswordResult['result']>((resolve) => {
      thread.jobs.set(id, resolve);
      thread.worker.postMessage({ id, password, password_hash } satisfies PasswordJob);
    });
    if (result === undefined) throw unavailable(new Error('a password could not be hashed'));
    return result;
  }

  function leastBusy(): Thread {
    const [best] = [...threads].sort((one, other) => one.jobs.size - other.jobs.size);
    return best === undefined || (best.jobs.size > 0 && threads.size < size) ? start() : best;
  }

  function start(): Thread {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
    const thread: Thread = { worker, jobs: new Map() };
    threads.add(thread);
    worker.on('message', ({ id, result }: PasswordResult) => {
      thread.jobs.get(id)?.(result);
      thread.jobs.delete(id);
      if (thread.jobs.size === 0) worker.unref(); // an idle thread keeps no process alive
    });
    // A thread that ends fails its jobs, and the next job starts another. Its 'error' event comes before 'exit'.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      threads.delete(thread);
      for (const settle of thread.jobs.values()) settle(undefined);
    });
    return thread;
  }

  return {
    hash: async (password) => String(await run(password, undefined)),
    verify: async (password, password_hash) => (await run(password, password_hash)) === true,
    close: async () => {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
