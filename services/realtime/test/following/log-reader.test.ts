import { cursorTooOld } from '@gatehouse/kit/event-log/event-log-faults';
import { unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { afterEach, describe, expect, test } from 'vitest';
import { LogReader, type LogResponse } from '../../src/following/log-reader.ts';

type Read = (cursor: string | undefined, signal: AbortSignal) => AsyncIterable<LogResponse<string>>;

let reader: LogReader<string> | undefined;
afterEach(async () => reader?.close());

/** Reads until `wanted` events have been taken. */
async function take(wanted: number, read: Read): Promise<{ taken: string[]; missed: number }> {
  const taken: string[] = [];
  let missed = 0;
  await new Promise<void>((resolve) => {
    reader = new LogReader<string>({
      name: 'test',
      read,
      take: ({ events }) => {
        taken.push(...events);
        if (taken.length >= wanted) resolve();
      },
      onEventsLost: () => missed++,
      log: silentLogger,
    });
  });
  return { taken, missed };
}

describe('an event log', () => {
  test('continues from its last cursor when a stream fails or ends', async () => {
    const asked: (string | undefined)[] = [];
    const { taken } = await take(3, async function* (cursor) {
      asked.push(cursor);
      const at = Number(cursor ?? 0);
      yield { events: [`event ${at}`], cursor: String(at + 1) };
      if (at === 0) throw unavailable();
    });
    expect(taken).toEqual(['event 0', 'event 1', 'event 2']);
    expect(asked).toEqual([undefined, '1', '2']);
  });

  test('restarts when its cursor is too old, and reports lost events', async () => {
    let calls = 0;
    const { taken, missed } = await take(2, async function* (cursor) {
      calls++;
      if (calls === 2) throw cursorTooOld();
      yield { events: [`from ${cursor}`], cursor: String(calls) };
    });
    expect(taken).toEqual(['from undefined', 'from undefined']);
    expect(missed).toBe(1);
  });

  test('reconnects when its stream hangs', async () => {
    let calls = 0;
    const { taken } = await take(1, async function* (_cursor, signal) {
      calls++;
      if (calls === 1)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(unavailable())));
      yield { events: ['after'], cursor: '1' };
    });
    expect(taken).toEqual(['after']);
    expect(calls).toBe(2);
  });
});
