import { expect, test } from 'vitest';
import { type HandOver, handOver } from '../src/db/hand-over.ts';
import { unavailable } from '../src/fault.ts';
import { silentLogger } from '../src/log.ts';

/** So many rows, handed over by whoever asks. */
function rows(count: number, away: () => boolean = () => false) {
  let left = count;
  return {
    left: () => left,
    next: async () => {
      await new Promise(setImmediate);
      if (left === 0) return false;
      if (away()) throw unavailable(new Error('away'));
      left--;
      return true;
    },
  };
}

const begin = (next: (signal: AbortSignal) => Promise<boolean>, patience_ms = 60_000): HandOver =>
  handOver({ what: 'rows', next, log: silentLogger, patience_ms });

test('is settled when nothing is left, at once where nothing was', async () => {
  const some = rows(20);
  const job = begin(some.next);
  await job.settled;
  expect(some.left()).toBe(0);
  await job.close();
  const none = begin(rows(0).next);
  await none.settled;
  await none.close();
});

test('goes on where it was when the other side is back', async () => {
  let away = false;
  const some = rows(20, () => away);
  away = true;
  const job = begin(some.next);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(some.left()).toBe(20);
  away = false;
  await job.settled;
  expect(some.left()).toBe(0);
  await job.close();
});

test('lets the start go on when nothing can be handed over for too long, and tries on', async () => {
  let away = true;
  const some = rows(5, () => away);
  const job = begin(some.next, 1);
  await job.settled;
  expect(some.left()).toBe(5);
  away = false;
  await expect.poll(some.left).toBe(0);
  await job.close();
});

test('lets the start go on when it takes too long, however many rows were handed over, and goes on', async () => {
  let at = 0;
  const job = begin(async () => {
    at++;
    await new Promise(setImmediate);
    return true;
  }, 20);
  await job.settled;
  const settledAt = at;
  await expect.poll(() => at).toBeGreaterThan(settledAt);
  await job.close();
});

test('gives a row up at its end when whom it goes to does not answer', async () => {
  let given_up = false;
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const job = begin(async (signal) => {
    ask();
    await new Promise((_, reject) => signal.addEventListener('abort', reject)).finally(() => {
      given_up = true;
    });
    return true;
  });
  await asked;
  await job.close();
  await job.settled;
  expect(given_up).toBe(true);
});

test('ends when nobody answers and nothing can be given up', async () => {
  const job = begin(() => new Promise(() => undefined));
  await job.close();
  await job.settled;
});

test('ends between two rows', async () => {
  let at = 0;
  const job = begin(async () => {
    at++;
    await new Promise(setImmediate);
    return true;
  });
  await expect.poll(() => at).toBeGreaterThan(3);
  await job.close();
  const ended = at;
  await job.settled;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(at).toBe(ended);
});
