import { setTimeout as delay } from 'node:timers/promises';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import type { Event } from '@gatehouse/proto/chat';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AddedGuild, addGuild } from '../support/guilds.ts';
import { internally, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { cursorOf, mark, openReader, payloadOf, readByTurns } from './event-reader.ts';

let fixture: ChatFixture;
let guilds: AddedGuild[];
beforeAll(async () => {
  fixture = await startChat('chat_event_readers', 2);
  guilds = await Promise.all(Array.from({ length: 4 }, () => addGuild(fixture)));
  await fixture.sql.query('CREATE TABLE counters (guild_id bigint PRIMARY KEY, n integer NOT NULL)');
  for (const { guild_id } of guilds)
    await fixture.sql.query('INSERT INTO counters VALUES ($1, 0)', [guild_id]);
});
afterAll(() => fixture.close());

const EACH = 20;
const guildOf = (writer: number): AddedGuild => guilds[writer % guilds.length] as AddedGuild;

/** The committed events of each writer, identified by `key`. */
const committed: string[] = [];
const key = (event: Event) => String(payloadOf(event).key ?? payloadOf(event).content);

/** A connection that may be killed. */
async function openConnection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: fixture.sql.options.connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Writes in transactions that wait before their commit. Some are rolled back, and some lose their connection. */
async function writeBySql(writer: number, insert: (client: pg.Client, key: string) => Promise<void>) {
  let client = await openConnection();
  for (let count = 0; count < EACH; count++) {
    const name = `${writer}-${count}`;
    await client.query('BEGIN');
    await insert(client, name);
    await delay(Math.random() * 15);
    const end = Math.random();
    if (end < 0.1) {
      await client.query('ROLLBACK');
    } else if (end < 0.2) {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      await fixture.sql.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      await expect(client.query('COMMIT')).rejects.toThrow();
      client = await openConnection();
    } else {
      await client.query('COMMIT');
      committed.push(name);
    }
  }
  await client.end();
}

/** Under the guild's lock, as the service does. The event has its number within the guild. */
async function insertCounted(client: pg.Client, name: string, { guild_id }: AddedGuild): Promise<void> {
  await client.query('SELECT FROM guilds WHERE id = $1 FOR NO KEY UPDATE', [guild_id]);
  const { rows } = await client.query('UPDATE counters SET n = n + 1 WHERE guild_id = $1 RETURNING n', [
    guild_id,
  ]);
  await client.query(`INSERT INTO events (type, guild_id, payload) VALUES ('COUNTED', $1, $2)`, [
    guild_id,
    { key: name, n: rows[0].n },
  ]);
}

/** Without a lock, so that commits come in any order. */
async function insertLoose(client: pg.Client, name: string): Promise<void> {
  await client.query(`INSERT INTO events (type, payload) VALUES ('LOOSE', $1)`, [{ key: name }]);
}

async function writeByRpc(writer: number): Promise<void> {
  const chat = fixture.replicas[writer % 2] ?? fixture.chat;
  for (let count = 0; count < EACH; count++) {
    const content = `${writer}-${count}`;
    await chat.createWebhookMessage(webhookMessageOf(guildOf(writer).general, content), internally);
    committed.push(content);
  }
}

function expectAllOnceInOrder(events: readonly Event[]): void {
  const received = events.filter(({ type }) => type !== 'END');
  expect(received.map(key).sort()).toEqual([...committed].sort());
  for (const { guild_id } of guilds) {
    const own = received.filter((event) => event.type === 'COUNTED' && event.guild_id === guild_id);
    const counts = own.map((event) => Number(payloadOf(event).n));
    expect(counts).toEqual(counts.map((_, index) => index + 1));
  }
  for (let writer = 0; writer < 24; writer++) {
    const own = received.filter(({ type }) => type === 'MESSAGE_CREATE').map(key);
    const mine = own.filter((content) => content.startsWith(`${writer}-`));
    expect(mine).toEqual(Array.from({ length: EACH }, (_, count) => `${writer}-${count}`));
  }
}

test('with 64 writers, some killed before their commit, readers miss and repeat nothing, and each guild’s events are in order', async () => {
  const start = await cursorOf(fixture.chat);
  const live = await Promise.all(
    [0, 1, 0, 1].map((replica) => openReader(fixture.replicas[replica] ?? fixture.chat)),
  );
  const restarted = readByTurns(fixture.replicas, start, 'END', 60);
  await Promise.all([
    ...Array.from({ length: 24 }, (_, index) => writeByRpc(index)),
    ...Array.from({ length: 24 }, (_, index) =>
      writeBySql(24 + index, (client, name) => insertCounted(client, name, guildOf(index))),
    ),
    ...Array.from({ length: 16 }, (_, index) => writeBySql(48 + index, insertLoose)),
  ]);
  await mark(fixture, 'END');
  for (const reader of live) {
    expectAllOnceInOrder(await reader.until('END'));
    await reader.close();
  }
  expectAllOnceInOrder(await restarted);

  const [first] = live;
  const later = [
    start,
    ...[0.2, 0.5, 0.8].map((part) => first?.cursors[Math.floor(part * first.cursors.length)]?.cursor),
  ];
  for (const [index, cursor] of later.entries()) {
    const events = await readByTurns(
      [fixture.replicas[index % 2 === 0 ? 1 : 0] ?? fixture.chat],
      cursor ?? '',
      'END',
    );
    const had = first?.cursors.find((known) => known.cursor === cursor)?.count ?? 0;
    expectAllOnceInOrder([...(first?.events.slice(0, had) ?? []), ...events]);
  }
});

test('a cursor within a long catch-up continues there, at either replica', async () => {
  const start = await cursorOf(fixture.chat);
  const writer = await openConnection();
  await writer.query('BEGIN'); // holds back the oldest snapshot, and is in no cursor
  await writer.query(`INSERT INTO events (type, payload) VALUES ('HELD', '{"key":"held"}')`);
  await fixture.sql.query(
    `INSERT INTO events (type, payload)
     SELECT 'PAGED', jsonb_build_object('key', n, 'text', repeat('x', 500)) FROM generate_series(1, 2500) AS n`,
  );
  await mark(fixture, 'END');
  const whole = await openReader(fixture.chat, { cursor: start });
  await whole.until('END');
  await whole.close();
  expect(whole.events.slice(0, -1).map(key)).toEqual(Array.from({ length: 2500 }, (_, n) => String(n + 1)));
  const middles = whole.cursors.filter(({ cursor }) => cursor.split('/').length === 4);
  expect(middles.length).toBeGreaterThan(10);
  await writer.query('COMMIT');
  await writer.end();
  await mark(fixture, 'LAST');
  for (const [index, { count, cursor }] of middles.entries()) {
    if (index % 5 !== 0) continue;
    const rest = await readByTurns([fixture.replicas[index % 2] ?? fixture.chat], cursor, 'LAST');
    const expected = [...whole.events.slice(count).map(key), 'held', 'undefined'];
    expect(rest.map(key).sort()).toEqual(expected.sort());
  }
});

test('a reader that does not read delays no other, and then receives everything once', async () => {
  const start = await cursorOf(fixture.chat);
  const slow = fixture.chat.readEvents({ cursor: start, types: [] })[Symbol.asyncIterator]();
  await slow.next();
  const live = await openReader(fixture.chat);
  for (let batch = 0; batch < 60; batch++) {
    await fixture.sql.query(
      `INSERT INTO events (type, payload)
       SELECT 'LONG', jsonb_build_object('key', $1 * 100 + n, 'text', repeat('x', 10000)) FROM generate_series(1, 100) AS n`,
      [batch],
    );
    live.events.length = 0; // 60 MB in total
  }
  await mark(fixture, 'END');
  await live.until('END');
  await live.close();
  const keys: string[] = [];
  let got: Event[] = [];
  while (!got.some(({ type }) => type === 'END')) {
    const { value } = await slow.next();
    got = value?.events ?? [];
    keys.push(...got.filter(({ type }) => type === 'LONG').map(key));
  }
  await slow.return?.(undefined);
  expect(keys).toEqual(Array.from({ length: 6000 }, (_, n) => String(n + 1)));
});

test('a reader continues at the other replica when its own stops', async () => {
  const start = await cursorOf(fixture.chat);
  const reader = await openReader(fixture.chat, { cursor: start });
  await mark(fixture, 'ONE');
  await reader.until('ONE');
  const took_ms = processStopwatch();
  await fixture.stopReplica(0);
  expect(took_ms()).toBeLessThan(5000);
  expect(await reader.ended).toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  await mark(fixture, 'TWO');
  const rest = await readByTurns(fixture.replicas.slice(1), reader.cursors.at(-1)?.cursor ?? '', 'TWO');
  expect([...reader.events, ...rest].map(({ type }) => type)).toEqual(['ONE', 'TWO']);
});
