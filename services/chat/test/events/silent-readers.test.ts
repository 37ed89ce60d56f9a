import { reasonOf } from '@gatehouse/dev-env/faults';
import { seenOf } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, isVisibleIn, requireSnapshot, type Snapshot } from '@gatehouse/kit/event-log/snapshot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addGuild } from '../support/guilds.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { mark, openReader } from './event-reader.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_silent_readers', 2);
});
afterAll(() => fixture.close());

async function snapshotNow(): Promise<Snapshot> {
  const { rows } = await fixture.sql.query('SELECT pg_current_snapshot()::text AS text');
  return requireSnapshot(rows[0].text);
}

/** Commits a transaction without an event. */
async function commitElsewhere(): Promise<void> {
  await fixture.sql.query('UPDATE guilds SET name = name');
}

describe('silence_ms', () => {
  test.each([0, 19, 10_001, 4_294_967_295])('%i is BAD_REQUEST', async (silence_ms) => {
    expect(await reasonOf(openReader(fixture.chat, { silence_ms }))).toBe('BAD_REQUEST');
  });

  test.each([20, 10_000])('%i is taken', async (silence_ms) => {
    await (await openReader(fixture.chat, { silence_ms })).close();
  });

  test('a silent log soon gives its reader a cursor past every commit', async () => {
    await addGuild(fixture);
    const reader = await openReader(fixture.chat, { silence_ms: 50 });
    const waits_ms: number[] = [];
    for (let turn = 0; turn < 15; turn++) {
      await commitElsewhere();
      const then = await snapshotNow();
      const startedAt_ms = performance.now();
      await expect
        .poll(() => isAtLeast(seenOf(reader.cursors.at(-1)?.cursor ?? ''), then), { interval: 2 })
        .toBe(true);
      waits_ms.push(performance.now() - startedAt_ms);
    }
    expect(reader.events).toEqual([]);
    expect(waits_ms.sort((a, b) => a - b)[7]).toBeLessThan(1_000);
    await reader.close();
  });

  test('unwanted events do not delay a reader', async () => {
    const reader = await openReader(fixture.chat, { silence_ms: 50, types: ['WANTED'] });
    await mark(fixture, 'OTHER');
    const then = await snapshotNow();
    let writing = true;
    const noise = (async () => {
      while (writing) await mark(fixture, 'OTHER');
    })();
    await expect.poll(() => isAtLeast(seenOf(reader.cursors.at(-1)?.cursor ?? ''), then)).toBe(true);
    writing = false;
    await noise;
    expect(reader.events).toEqual([]);
    await reader.close();
  });
});

describe('the transaction of an event', () => {
  test('is after earlier cursors, and before the event’s cursor and later ones', async () => {
    const reader = await openReader(fixture.chat, { silence_ms: 20 });
    const late = await fixture.sql.connect();
    try {
      await late.query('BEGIN');
      await late.query(`INSERT INTO events (type, payload) VALUES ('LATE', '{}')`);
      await mark(fixture, 'EARLY');
      await reader.until('EARLY');
      const before = reader.cursors.length;
      await expect.poll(() => reader.cursors.length).toBeGreaterThan(before + 2);
      await late.query('COMMIT');
      await reader.until('LATE');
      await reader.close();
      for (const [at, { xact_id }] of reader.events.entries()) {
        for (const { cursor, count } of reader.cursors)
          expect(isVisibleIn(seenOf(cursor), xact_id)).toBe(count > at);
      }
    } finally {
      late.release();
    }
  });
});
