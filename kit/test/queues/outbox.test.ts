import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger, silentLogger } from '../../src/log.ts';
import {
  OUTBOX_RETRY_MS,
  type Outbox,
  type OutboxOptions,
  type OutboxRows,
  openOutbox,
} from '../../src/outbox.ts';

const opened: Outbox<number>[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((outbox) => outbox.close()));
});

/** Rows that are due until they are claimed, and again when the test says so. */
function rowsOf(...items: number[]) {
  const left = new Set(items);
  const due = new Set(items);
  const claims: number[][] = [];
  const rows: OutboxRows<number> = {
    claim: async (limit, retry_ms) => {
      expect(retry_ms).toBe(OUTBOX_RETRY_MS);
      const taken = [...due].slice(0, limit);
      for (const item of taken) due.delete(item);
      claims.push(taken);
      return taken;
    },
    complete: async (item) => {
      left.delete(item);
      due.delete(item);
    },
  };
  return { rows, left, due, claims };
}

function open(rows: OutboxRows<number>, deliver: OutboxOptions<number>['deliver']): Outbox<number> {
  const outbox = openOutbox({ rows, deliver, what: 'numbers', log: silentLogger });
  opened.push(outbox);
  return outbox;
}

/** Records the delivered items. */
function recordingReceiver() {
  const delivered: number[] = [];
  const deliver = async (item: number) => {
    delivered.push(item);
  };
  return { delivered, deliver };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test('a sent item is delivered at once, and forgotten', async () => {
  const { rows, left } = rowsOf(1, 2);
  const { delivered, deliver } = recordingReceiver();
  await open(rows, deliver).send([1, 2]);
  expect(delivered).toEqual([1, 2]);
  expect(left.size).toBe(0);
});

test('a delivery knows whether its caller waits', async () => {
  const { rows, left } = rowsOf(1, 2);
  const causes = new Map<number, string>();
  const outbox = open(rows, async (item, cause) => {
    causes.set(item, cause);
  });
  await outbox.send([1]);
  await expect.poll(() => left.size).toBe(0);
  expect([...causes]).toEqual([
    [1, 'sent'],
    [2, 'claimed'],
  ]);
});

test('a failed delivery is repeated when it is due again, and sending does not throw', async () => {
  const { rows, left, due } = rowsOf(1);
  due.clear();
  const { delivered, deliver } = recordingReceiver();
  let away = true;
  const outbox = open(rows, async (item) => {
    if (away) throw new Error('away');
    await deliver(item);
  });
  await outbox.send([1]);
  expect([...left]).toEqual([1]);

  away = false;
  due.add(1);
  await expect.poll(() => left.size).toBe(0);
  expect(delivered).toEqual([1]);
});

test('an outage is logged once, not per failed delivery', async () => {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } });
  const deliver = () => Promise.reject(new Error('away'));
  const outbox = openOutbox({ rows: rowsOf().rows, deliver, what: 'numbers', log });
  opened.push(outbox);
  await outbox.send(upTo(100));
  expect(lines).toHaveLength(1);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines.map((line) => JSON.parse(line).times)).toEqual([1, 99]);
});

test('an item that could not be completed is delivered again', async () => {
  const { rows, left, due } = rowsOf(1);
  due.clear();
  const { delivered, deliver } = recordingReceiver();
  let lost = true;
  const complete = async (item: number) => {
    if (lost) throw new Error('the database is away');
    await rows.complete(item);
  };
  await open({ ...rows, complete }, deliver).send([1]);
  expect([...left]).toEqual([1]);

  lost = false;
  due.add(1);
  await expect.poll(() => left.size).toBe(0);
  expect(delivered).toEqual([1, 1]);
});

test('polling continues until nothing is due; two replicas share the items', async () => {
  const { rows, left } = rowsOf(...upTo(50));
  const { delivered, deliver } = recordingReceiver();
  open(rows, deliver);
  open(rows, deliver);
  await expect.poll(() => left.size).toBe(0);
  expect(delivered.toSorted((a, b) => a - b)).toEqual(upTo(50));
});

test('if all deliveries fail, no more items are claimed until the next interval', async () => {
  const { rows, left, claims } = rowsOf(...upTo(30));
  const looks: number[] = [];
  const claim: typeof rows.claim = (limit, retry_ms) => {
    looks.push(performance.now());
    return rows.claim(limit, retry_ms);
  };
  open({ ...rows, claim }, () => Promise.reject(new Error('away')));
  await expect.poll(() => claims.length).toBe(2);
  const [first = 0, second = 0] = looks;
  expect(second - first).toBeGreaterThan(500);
  expect(left.size).toBe(30);
});

test('a slow delivery does not block the others, and concurrent deliveries are limited', async () => {
  const { rows, left } = rowsOf(...upTo(20));
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let most = 0;
  let now = 0;
  const deliver = async (item: number) => {
    most = Math.max(most, ++now);
    await (item === 0 ? held : undefined);
    now--;
  };
  const outbox = openOutbox({ rows, deliver, what: 'numbers', log: silentLogger, at_once: 2 });
  opened.push(outbox);
  await expect.poll(() => [...left]).toEqual([0]);
  expect(most).toBe(2);
  answer();
  await expect.poll(() => left.size).toBe(0);
});

test('a wake polls at once, and a wake during a poll causes another one', async () => {
  const { rows, left, due } = rowsOf(1);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let looks = 0;
  const claim: typeof rows.claim = async (limit, retry_ms) => {
    looks++;
    const taken = await rows.claim(limit, retry_ms);
    if (looks === 1) await held;
    return taken;
  };
  const { delivered, deliver } = recordingReceiver();
  const outbox = open({ ...rows, claim }, deliver);
  outbox.wake();
  expect(looks).toBe(1);
  left.add(2);
  due.add(2);
  outbox.wake();
  outbox.wake();
  answer();
  await new Promise(setImmediate);
  expect(looks).toBe(2);
  expect(delivered).toEqual([1, 2]);
});

test('an item that is not done yet stays, and is not logged as a failure', async () => {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } });
  const { rows, left, due } = rowsOf(1);
  let done = false;
  const deliver = async () => done;
  const outbox = openOutbox({ rows, deliver, what: 'numbers', log });
  opened.push(outbox);
  await expect.poll(() => due.size).toBe(0);
  await outbox.send([1]);
  expect([...left]).toEqual([1]);
  done = true;
  due.add(1);
  outbox.wake();
  await expect.poll(() => left.size).toBe(0);
  expect(lines).toEqual([]);
});

test('after a failed poll, rows are claimed at the next interval', async () => {
  const { rows, left } = rowsOf(1);
  const { delivered, deliver } = recordingReceiver();
  let failed = false;
  const claim: typeof rows.claim = (limit, retry_ms) => {
    if (failed) return rows.claim(limit, retry_ms);
    failed = true;
    return Promise.reject(new Error('the database is away'));
  };
  open({ ...rows, claim }, deliver);
  await expect.poll(() => left.size).toBe(0);
  expect(delivered).toEqual([1]);
});

test('closing waits for deliveries in flight, and begins no more', async () => {
  const { rows, left, claims } = rowsOf(...upTo(20));
  const begun: (() => void)[] = [];
  const outbox = open(rows, () => new Promise<void>((resolve) => begun.push(resolve)));
  await expect.poll(() => begun.length).toBeGreaterThan(0);
  const inTurn = begun.length;

  let closed = false;
  const closing = outbox.close().then(() => {
    closed = true;
  });
  await new Promise(setImmediate);
  expect(closed).toBe(false);
  for (const answer of begun) answer();
  await closing;
  expect(left.size).toBe(20 - inTurn);
  expect(claims).toHaveLength(1);
});

test('without work an outbox polls every five seconds; work makes it poll every second for ten', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { rows, left, due, claims } = rowsOf(1);
  due.clear();
  const { delivered, deliver } = recordingReceiver();
  let isAway = true;
  const outbox = open(rows, (item) => (isAway ? Promise.reject(new Error('away')) : deliver(item)));
  const pollsIn = async (ms: number): Promise<number> => {
    const before = claims.length;
    await vi.advanceTimersByTimeAsync(ms);
    return claims.length - before;
  };
  expect(await pollsIn(10_000)).toBe(10);
  await pollsIn(5_000);
  expect(await pollsIn(30_000)).toBe(6);
  await outbox.send([1]);
  expect(await pollsIn(10_000)).toBe(10); // its retry is due within these
  await pollsIn(5_000);
  expect(await pollsIn(30_000)).toBe(6);
  isAway = false;
  due.add(1); // left by a process that was killed
  await vi.advanceTimersByTimeAsync(5_000);
  expect(delivered).toEqual([1]);
  expect(left.size).toBe(0);
  await outbox.close();
});
