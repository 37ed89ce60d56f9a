import { expect, onTestFinished, test, vi } from 'vitest';
import type { AnnouncementChannel } from '../../src/event-log/announcements.ts';
import type { EventTable, LoggedEvent } from '../../src/event-log/event-table.ts';
import { EventTail } from '../../src/event-log/event-tail.ts';
import { readLog } from '../../src/event-log/read-log.ts';
import { requireSnapshot } from '../../src/event-log/snapshot.ts';

/** Announcements of a process that hears none. */
const SILENT: AnnouncementChannel = {
  announce: () => undefined,
  listen: () => undefined,
  isListening: () => false,
  reconnect: () => undefined,
  stop: () => undefined,
  close: () => Promise.resolve(),
};

test('sends no empty pages while the database does not answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const seen = requireSnapshot('1:1:');
  const removed = { xact_id: 0n, event_id: 0n };
  let hangs = false;
  const table: EventTable<LoggedEvent> = {
    current: async () => seen,
    newEvents: async () => (hangs ? new Promise(() => undefined) : { seen, events: [] }),
    floor: async () => ({ floor: undefined, removed }),
    page: async () => ({ events: [], removed }),
  };
  const leave = new AbortController();
  let pages = 0;
  const reading = (async () => {
    const reader = { start: undefined, wants: () => true, silence_ms: 50 };
    for await (const _ of readLog(
      { table, tail: new EventTail({ table, announcements: SILENT }) },
      reader,
      leave.signal,
    ))
      pages++;
  })();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(pages).toBeGreaterThan(15);
  hangs = true;
  await vi.advanceTimersByTimeAsync(300);
  const before = pages;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(pages).toBe(before);
  leave.abort();
  await vi.advanceTimersByTimeAsync(20_000);
  await reading;
});
