import { parentPort, workerData } from 'node:worker_threads';
import { readConfiguration } from './read-configuration.ts';

/** The thread of read-in-thread.ts. */
parentPort?.postMessage(readConfiguration(workerData));
