import { Worker } from 'node:worker_threads';
import type { Configuration } from './read-configuration.ts';

const TIMEOUT_MS = 30_000;
/** A file of 1 MiB takes at most a few hundred. */
const MAX_MEGABYTES = 1_024;

/**
 * Reads files of descriptors in a thread of its own, since a long one takes a second, in which no check would be decided.
 * Rejects if it takes too long or too much memory.
 */
export function readInThread(paths: readonly string[]): Promise<Configuration> {
  const { promise, resolve, reject } = Promise.withResolvers<Configuration>();
  const worker = new Worker(new URL('./configuration-worker.ts', import.meta.url), {
    workerData: paths,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
  });
  const timer = setTimeout(() => {
    reject(new Error(`the files could not be read within ${TIMEOUT_MS / 1000} s`));
    void worker.terminate();
  }, TIMEOUT_MS);
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => {
    clearTimeout(timer);
    reject(new Error('the thread that reads the files has ended'));
  });
  return promise;
}
