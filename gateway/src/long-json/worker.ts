import { parentPort } from 'node:worker_threads';
import { Fault, type Violation } from '@gatehouse/kit/fault';
import { freeBytes } from '../overload/free-bytes.ts';
import { type LongJsonJob, type LongJsonResult, READY, readLongJson } from './read-long-json.ts';

// The thread of ./long-json.ts: one body at a time, in order of arrival.

parentPort?.on('message', (job: LongJsonJob) => {
  const result = read(job);
  freeBytes(job.body);
  parentPort?.postMessage(result, [result.encoded.buffer as ArrayBuffer]);
});
parentPort?.postMessage(READY);

function read(job: LongJsonJob): LongJsonResult {
  try {
    const result = readLongJson(job);
    return { ...result, encoded: new Uint8Array(result.encoded) }; // in a buffer of its own, which is transferred
  } catch (error) {
    return { id: job.id, violations: violationsOf(error), encoded: new Uint8Array(), members: {} };
  }
}

function violationsOf(error: unknown): readonly Violation[] {
  if (error instanceof Fault && error.violations.length > 0) return error.violations;
  throw error;
}
