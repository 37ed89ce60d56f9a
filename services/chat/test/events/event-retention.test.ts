import { reasonOf } from '@gatehouse/dev-env/faults';
import { olderTransactionsEnded } from '@gatehouse/dev-env/postgres/older-transactions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { cursorOf, mark, openReader } from './event-reader.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_event_retention', 2, { background_every_ms: 20 });
});
afterAll(() => fixture.close());

const typesLeft = async (): Promise<string[]> => {
  const { rows } = await fixture.sql.query('SELECT DISTINCT type FROM events ORDER BY type');
  return rows.map(({ type }) => type);
};

const write = (type: string, minutes: number, many = 1) =>
  fixture.sql.query(
    `INSERT INTO events (type, payload, created_at)
     SELECT $1, '{}', now() - make_interval(mins => $2) FROM generate_series(1, $3)`,
    [type, minutes, many],
  );

const reading = async (cursor: string) => (await openReader(fixture.chat, { cursor })).close();

test('events are deleted after an hour; then a cursor before them is too old, and a later cursor is not', async () => {
  await write('EARLY', 30);
  const before = await cursorOf(fixture.chat);
  const live = await openReader(fixture.chat);
  await write('OLD', 30, 2500);
  await mark(fixture, 'WRITTEN');
  await live.until('WRITTEN');
  await fixture.sql.query(`UPDATE events SET created_at = now() - interval '61 min' WHERE type = 'OLD'`);
  await olderTransactionsEnded(fixture.sql); // a running transaction would count as a possibly missed event
  const after = await cursorOf(fixture.chat);
  await write('YOUNG', 30);
  await expect.poll(typesLeft).toEqual(['EARLY', 'WRITTEN', 'YOUNG']);
  expect(await reasonOf(reading(before))).toBe('CURSOR_TOO_OLD');
  const resumed = await openReader(fixture.replicas[1] ?? fixture.chat, { cursor: after });
  expect((await resumed.until('YOUNG')).map(({ type }) => type)).toEqual(['YOUNG']);
  expect((await live.until('YOUNG')).filter(({ type }) => type === 'OLD')).toHaveLength(2500);
  await Promise.all([live.close(), resumed.close()]);
});

test('a cursor within a catch-up is too old once an event after it is deleted, and not before', async () => {
  const start = await cursorOf(fixture.chat);
  await fixture.sql.query(
    `INSERT INTO events (type, payload) SELECT 'PAGE', jsonb_build_object('text', repeat('x', 500)) FROM generate_series(1, 1500)`,
  );
  await mark(fixture, 'PAGED');
  await olderTransactionsEnded(fixture.sql);
  const reader = await openReader(fixture.chat, { cursor: start });
  await reader.until('PAGED');
  await reader.close();
  const middles = reader.cursors.filter(({ cursor }) => cursor.split('/').length === 4);
  const { count, cursor } = middles[2] ?? { count: 0, cursor: '' };
  const age = (from: number, to: number) =>
    fixture.sql.query(`UPDATE events SET created_at = now() - interval '2 h' WHERE id = ANY($1::bigint[])`, [
      reader.events.slice(from, to).map(({ id }) => id),
    ]);
  const left = async () =>
    (await fixture.sql.query(`SELECT count(*)::integer AS n FROM events WHERE type = 'PAGE'`)).rows[0].n;
  await age(0, count);
  await expect.poll(left).toBe(1500 - count);
  const resumed = await openReader(fixture.chat, { cursor });
  expect(await resumed.until('PAGED')).toHaveLength(1501 - count);
  await resumed.close();
  await age(count, count + 1);
  await expect.poll(left).toBe(1499 - count);
  expect(await reasonOf(reading(cursor))).toBe('CURSOR_TOO_OLD');
});

test('an event stays while an older transaction runs, so that current cursors are not too old', async () => {
  await fixture.sql.query('DELETE FROM events');
  const writer = await fixture.sql.connect();
  try {
    await writer.query('BEGIN');
    await writer.query(`INSERT INTO events (type, payload) VALUES ('LATE', '{}')`);
    await write('STAYS', 61);
    const cursor = await cursorOf(fixture.chat);
    await write('STAYS_TOO', 61);
    await fixture.sql.query('SELECT pg_sleep(0.2)'); // ten rounds of the job
    expect(await typesLeft()).toEqual(expect.arrayContaining(['STAYS', 'STAYS_TOO']));
    const reader = await openReader(fixture.chat, { cursor });
    await writer.query('COMMIT');
    expect((await reader.until('LATE')).map(({ type }) => type)).toEqual(['STAYS_TOO', 'LATE']);
    await reader.close();
    await expect.poll(typesLeft).not.toContain('STAYS');
  } finally {
    writer.release();
  }
});
