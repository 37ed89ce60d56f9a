import { expect, onTestFinished, test, vi } from 'vitest';
import type { AnnouncementChannel } from '../../src/event-log/announcements.ts';
import type { LoggedEvent, NewEvents } from '../../src/event-log/event-table.ts';
import { EventTail } from '../../src/event-log/event-tail.ts';
import { requireSnapshot } from '../../src/event-log/snapshot.ts';

const never = new AbortController().signal;

/** Announcements in memory. They are lost while `isLost`. */
function inMemoryAnnouncements(isListening = false) {
  const channel = { isListening, isLost: false, reconnects: 0, announced: 0 };
  let heard: (() => void) | undefined;
  const announcements: AnnouncementChannel = {
    announce: () => {
      channel.announced++;
      if (!channel.isLost) heard?.();
    },
    listen: (callback) => {
      if (channel.isListening) heard = callback;
    },
    isListening: () => channel.isListening,
    reconnect: () => void channel.reconnects++,
    stop: () => {
      heard = undefined;
    },
    close: () => Promise.resolve(),
  };
  const lose = (): void => {
    channel.isListening = false;
    heard?.();
  };
  return { channel, announcements, lose };
}

/** A log in memory, whose snapshots count its events. */
function inMemoryLog({ announcements } = inMemoryAnnouncements()) {
  const events: LoggedEvent[] = [];
  const queries = { times: 0, broken: false };
  const snapshot = () => requireSnapshot(`${events.length + 1}:${events.length + 1}:`);
  const query = <T>(answer: () => T): Promise<T> => {
    queries.times++;
    return queries.broken ? Promise.reject(new Error('no database')) : Promise.resolve(answer());
  };
  const tail = new EventTail<LoggedEvent>({
    announcements,
    table: {
      current: () => query(snapshot),
      newEvents: (since) =>
        query((): NewEvents<LoggedEvent> => {
          const fresh = events.slice(Number(since.xmax) - 1);
          return { seen: snapshot(), events: fresh.length > 1000 ? undefined : fresh };
        }),
    },
  });
  const write = (payload = '{}'): void => {
    events.push({ id: String(events.length + 1), type: 'T', payload });
  };
  return { tail, queries, write };
}

/** Lets only the test advance time. */
function stopTheClock(): void {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

test('polls once for all readers, and never without readers', async () => {
  const { tail, queries, write } = inMemoryLog();
  const leave = Array.from({ length: 10 }, () => tail.enter());
  const ends = await Promise.all(leave.map(() => tail.head()));
  expect(queries.times).toBe(2); // the first reader's, and one that began after the others entered
  write();
  const before = queries.times;
  await Promise.all(ends.map(() => tail.changed(5000, never)));
  expect(queries.times - before).toBeLessThanOrEqual(2);
  for (const { next } of ends) expect(tail.batch(next)).toMatchObject({ events: [{ id: '1' }] });
  for (const go of leave) go();
  await tail.close();
  const after = queries.times;
  stopTheClock();
  tail.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(queries.times).toBe(after);
});

test('polls at once when woken, with a minimum interval', async () => {
  stopTheClock();
  const { tail, queries, write } = inMemoryLog();
  const leave = tail.enter();
  const { next } = await tail.head();
  write();
  tail.wake();
  await vi.advanceTimersByTimeAsync(5); // the next regular poll would be after 20 ms
  expect(tail.batch(next)).toMatchObject({ events: [{ id: '1' }] });
  const before = queries.times;
  for (let turn = 0; turn < 40; turn++) {
    tail.wake();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(queries.times - before).toBeLessThanOrEqual(11);
  expect(queries.times).toBeGreaterThan(before);
  leave();
  await vi.advanceTimersByTimeAsync(20);
  await tail.close();
});

/** Advances the clock, and counts the queries meanwhile. */
async function queriesIn(queries: { times: number }, ms: number): Promise<number> {
  const before = queries.times;
  await vi.advanceTimersByTimeAsync(ms);
  return queries.times - before;
}

test('without announcements, polls less often after two seconds without events, until one is found', async () => {
  stopTheClock();
  const { tail, queries, write } = inMemoryLog();
  const leave = tail.enter();
  const { next } = await tail.head();
  expect(await queriesIn(queries, 1900)).toBeGreaterThan(85);
  await queriesIn(queries, 200);
  expect(await queriesIn(queries, 1000)).toBe(20);
  write();
  await queriesIn(queries, 50);
  expect(tail.batch(next)).toMatchObject({ events: [{ id: '1' }] });
  expect(await queriesIn(queries, 1900)).toBeGreaterThan(85);
  leave();
  await vi.advanceTimersByTimeAsync(50);
  await tail.close();
});

test('with announcements, polls twice a second without events, and at once after an announcement', async () => {
  stopTheClock();
  const memory = inMemoryAnnouncements(true);
  const { tail, queries, write } = inMemoryLog(memory);
  const leave = tail.enter();
  const { next } = await tail.head();
  await queriesIn(queries, 3000);
  expect(await queriesIn(queries, 10_000)).toBe(20);
  write();
  memory.announcements.announce(); // by another process
  await vi.advanceTimersByTimeAsync(5);
  expect(tail.batch(next)).toMatchObject({ events: [{ id: '1' }] });
  // Further events within two seconds need no announcement.
  await queriesIn(queries, 1900);
  write();
  await queriesIn(queries, 20);
  expect(tail.batch(next + 1)).toMatchObject({ events: [{ id: '2' }] });
  leave();
  await vi.advanceTimersByTimeAsync(500);
  await tail.close();
});

test('an event whose announcement was lost is found by the regular poll; polls are frequent then, on a new connection', async () => {
  stopTheClock();
  const memory = inMemoryAnnouncements(true);
  const { tail, queries, write } = inMemoryLog(memory);
  const leave = tail.enter();
  const { next } = await tail.head();
  await queriesIn(queries, 5000);
  write();
  await vi.advanceTimersByTimeAsync(500);
  expect(tail.batch(next)).toMatchObject({ events: [{ id: '1' }] });
  expect(memory.channel.reconnects).toBe(0); // its announcement may be on the way
  await queriesIn(queries, 3000);
  expect(memory.channel.reconnects).toBe(1);
  expect(await queriesIn(queries, 50_000)).toBe(1000);
  await queriesIn(queries, 10_000);
  expect(await queriesIn(queries, 10_000)).toBe(20);
  leave();
  await vi.advanceTimersByTimeAsync(500);
  await tail.close();
});

test('polls frequently once listening has ended', async () => {
  stopTheClock();
  const memory = inMemoryAnnouncements(true);
  const { tail, queries } = inMemoryLog(memory);
  const leave = tail.enter();
  await tail.head();
  await queriesIn(queries, 5000);
  memory.lose();
  expect(await queriesIn(queries, 2000)).toBeGreaterThan(85);
  await queriesIn(queries, 100);
  expect(await queriesIn(queries, 10_000)).toBe(200);
  leave();
  await vi.advanceTimersByTimeAsync(500);
  await tail.close();
});

test('an event that this process wrote, and a client that waits for a reader, are announced', async () => {
  const memory = inMemoryAnnouncements(true);
  const { tail } = inMemoryLog(memory);
  tail.wake();
  tail.expectReader();
  expect(memory.channel.announced).toBe(2);
  await tail.close();
});

test('keeps some megabytes of batches; older ones, and ones that are too large, are dropped', async () => {
  const { tail, write } = inMemoryLog();
  const leave = tail.enter();
  const { next } = await tail.head();
  for (let batch = 0; batch < 10; batch++) {
    write('x'.repeat(1_000_000));
    await tail.head();
  }
  const kept = Array.from({ length: 10 }, (_, index) => tail.batch(next + index) !== 'dropped');
  expect(kept).toEqual([...Array(6).fill(false), ...Array(4).fill(true)]);
  expect(tail.batch(next + 10)).toBeUndefined();
  for (let count = 0; count < 1001; count++) write();
  const end = await tail.head();
  expect(tail.batch(next + 9)).toBe('dropped');
  expect(tail.batch(next + 10)).toBe('dropped');
  expect(end.next).toBe(next + 11);
  write('x'.repeat(5_000_000));
  await tail.head();
  expect(tail.batch(end.next)).toBe('dropped');
  leave();
  await tail.close();
});

test('fails every reader when the database is gone, and starts over for later ones', async () => {
  const { tail, queries, write } = inMemoryLog();
  const leave = tail.enter();
  const { next } = await tail.head();
  queries.broken = true;
  await expect(tail.changed(5000, never)).rejects.toThrow('no database');
  await expect(tail.head()).rejects.toThrow('no database');
  queries.broken = false;
  const end = await tail.head();
  expect(tail.batch(next)).toBe('dropped');
  write();
  await tail.changed(5000, never);
  expect(tail.batch(end.next)).toMatchObject({ events: [{ id: '1' }] });
  leave();
  await tail.close();
});

test('fails its readers when the database does not answer', async () => {
  stopTheClock();
  const { announcements } = inMemoryAnnouncements();
  const tail = new EventTail<LoggedEvent>({
    announcements,
    table: {
      current: () => new Promise(() => undefined),
      newEvents: () => new Promise(() => undefined),
    },
  });
  const leave = tail.enter();
  const end = expect(tail.head()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  await vi.advanceTimersByTimeAsync(12_000);
  await end;
  leave();
  await tail.close();
});
