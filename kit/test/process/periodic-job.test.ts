import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { periodicJob } from '../../src/periodic-job.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a job never runs twice at once, and runs again after a long run', async () => {
  let runs = 0;
  let finish = () => {};
  const job = periodicJob(10, () => {
    runs++;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toBe(1);
  finish();
  await vi.advanceTimersByTimeAsync(10);
  expect(runs).toBe(2);
  finish();
  await job.close();
});

test('closing tells the current run, waits for it and starts no other', async () => {
  const runs: AbortSignal[] = [];
  let finish = () => {};
  const job = periodicJob(10, (closing) => {
    runs.push(closing);
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  await vi.advanceTimersByTimeAsync(10);
  let closed = false;
  const closing = job.close().then(() => {
    closed = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(runs.map(({ aborted }) => aborted)).toEqual([true]);
  expect(closed).toBe(false);
  finish();
  await closing;
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toHaveLength(1);
});
