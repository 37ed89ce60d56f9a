import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addGuild, as, internally, messageOf, type Suite, startSuite, webhookMessageOf } from './harness.ts';

let suite: Suite;
beforeAll(async () => {
  suite = await startSuite('chat_event_log', 2);
});
afterAll(() => suite.close());

interface Event {
  readonly id: string;
  readonly channel_id: string | null;
  readonly payload: { readonly content?: string };
}

/** A reader as the migration describes it. */
async function openReader() {
  const { rows } = await suite.sql.query('SELECT pg_current_snapshot()::text AS cursor');
  let cursor: string = rows[0].cursor;
  return async (): Promise<Event[]> => {
    const turn = await suite.sql.query(
      `SELECT now.cursor, news.*
       FROM (SELECT pg_current_snapshot()::text AS cursor) AS now LEFT JOIN LATERAL (
         SELECT id, channel_id, payload FROM events
         WHERE xact_id >= pg_snapshot_xmin($1::pg_snapshot)
           AND NOT pg_visible_in_snapshot(xact_id, $1::pg_snapshot)
       ) AS news ON true
       ORDER BY news.id`,
      [cursor],
    );
    cursor = turn.rows[0].cursor;
    return turn.rows.filter(({ id }) => id !== null);
  };
}

describe('the event log', () => {
  test('holds a message as it was when it was posted', async () => {
    const { owner, guild_id, general } = await addGuild(suite);
    const read = await openReader();
    const { message } = await suite.chat.createMessage(
      messageOf(general, { content: 'x', nonce: 'n' }),
      as(owner),
    );
    await suite.sql.query(`UPDATE messages SET content = 'edited since' WHERE id = $1`, [message?.id]);
    expect(await read()).toMatchObject([
      {
        channel_id: general,
        payload: { id: message?.id, channel_id: general, author_id: owner, content: 'x', nonce: 'n' },
      },
    ]);
    const { rows } = await suite.sql.query('SELECT guild_id, type FROM events WHERE channel_id = $1', [
      general,
    ]);
    expect(rows).toEqual([{ guild_id, type: 'MESSAGE_CREATE' }]);
  });

  test('gives a row that commits late, after rows with higher IDs were read', async () => {
    const { general } = await addGuild(suite);
    const read = await openReader();
    const late = await suite.sql.connect();
    try {
      await late.query('BEGIN');
      await late.query(
        `INSERT INTO events (type, channel_id, payload) VALUES ('LATE', $1, '{"content":"late"}')`,
        [general],
      );
      const post = (content: string) =>
        suite.chat.createWebhookMessage(webhookMessageOf(general, content), internally);
      await post('early');
      const early = await read();
      expect(early.map(({ payload }) => payload.content)).toEqual(['early']);
      await late.query('COMMIT');
      const rest = await read();
      expect(rest.map(({ payload }) => payload.content)).toEqual(['late']);
      expect(BigInt(rest[0]?.id ?? 0)).toBeLessThan(BigInt(early[0]?.id ?? 0));
      expect(await read()).toEqual([]);
    } finally {
      late.release();
    }
  });

  test('gives each event once and each writer’s in order, under concurrent writers', async () => {
    const { general } = await addGuild(suite);
    const read = await openReader();
    const writers = 16;
    const each = 20;
    let writing = true;
    const write = async (writer: number) => {
      const chat = suite.replicas[writer % 2] ?? suite.chat;
      for (let count = 0; count < each; count++) {
        await chat.createWebhookMessage(webhookMessageOf(general, `${writer} ${count}`), internally);
      }
    };
    const written = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer))).then(() => {
      writing = false;
    });
    const events: Event[] = [];
    while (writing) events.push(...(await read()));
    await written;
    events.push(...(await read()));

    expect(events).toHaveLength(writers * each);
    for (let writer = 0; writer < writers; writer++) {
      const own = events.map(({ payload }) => `${payload.content}`).filter((c) => c.startsWith(`${writer} `));
      expect(own).toEqual(Array.from({ length: each }, (_, count) => `${writer} ${count}`));
    }
  });
});
