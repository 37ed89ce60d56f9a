import type { Event } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount } from '../support/guilds.ts';
import { type ChatClient, type ChatFixture, startChat } from '../support/start-chat.ts';
import { mark } from './event-reader.ts';
import { openEventState } from './event-state.ts';
import { RandomWorld } from './random-world/random-world.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_event_state', 2);
  // The data that decides who can view a guild's channel, read with each event while the guild is locked.
  await fixture.sql.query(`
    CREATE TABLE seen_at (event_id bigint PRIMARY KEY, viewers text[]);
    CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO seen_at
      SELECT NEW.id, COALESCE(array_agg(m.account_id::text ORDER BY m.account_id::text) FILTER (WHERE
        m.account_id = g.owner_id OR (base.bits & 8) <> 0
        OR ((((((base.bits & ~COALESCE(e.deny, 0)) | COALESCE(e.allow, 0)) & ~held.deny) | held.allow)
          & ~COALESCE(o.deny, 0)) | COALESCE(o.allow, 0)) & 1024 <> 0), '{}')
      FROM guilds g JOIN members m ON m.guild_id = g.id
        CROSS JOIN LATERAL (
          SELECT bit_or(r.permissions) AS bits FROM roles r WHERE r.guild_id = g.id AND (r.id = g.id OR r.id IN (
            SELECT role_id FROM member_roles mr WHERE mr.guild_id = g.id AND mr.account_id = m.account_id))) base
        LEFT JOIN permission_overwrites e ON e.channel_id = NEW.channel_id AND e.id = g.id AND e.type = 0
        LEFT JOIN permission_overwrites o ON o.channel_id = NEW.channel_id AND o.id = m.account_id AND o.type = 1
        CROSS JOIN LATERAL (
          SELECT COALESCE(bit_or(allow), 0) AS allow, COALESCE(bit_or(deny), 0) AS deny
          FROM permission_overwrites p JOIN member_roles mr ON mr.role_id = p.id
          WHERE p.channel_id = NEW.channel_id AND p.type = 0
            AND mr.guild_id = g.id AND mr.account_id = m.account_id) held
      WHERE g.id = NEW.guild_id
      HAVING NEW.guild_id IS NOT NULL
      UNION ALL SELECT NEW.id, recipient_ids::text[] FROM channels WHERE id = NEW.channel_id AND guild_id IS NULL;
      RETURN NULL;
    END $$;
    CREATE TRIGGER see AFTER INSERT ON events FOR EACH ROW
      WHEN (NEW.type LIKE 'MESSAGE%') EXECUTE FUNCTION see()`);
});
afterAll(() => fixture.close());

const WORKERS = 12;
const STEPS = 150;

test('is sufficient for readers to keep their state and to decide who can view a message', async () => {
  const people = Array.from({ length: 8 }, () => addAccount(fixture));
  const followed = people.slice(0, 6);
  const world = new RandomWorld(fixture, people);
  for (let count = 0; count < 3; count++) await world.createGuild(fixture.chat);
  const reader = await openEventState(fixture.chat, followed);

  const viewersOf = new Map<string, string[]>();
  const reading = readLive(fixture.replicas, reader.cursor, async (event) => {
    if (event.type.startsWith('MESSAGE_')) viewersOf.set(event.id, reader.viewers(event));
    await reader.apply(event);
  });
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let step = 0; step < STEPS; step++) await world.step(fixture.replicas[worker % 2] ?? fixture.chat);
    }),
  );
  await mark(fixture, 'END');
  await reading;
  const end = await openEventState(fixture.chat, followed);

  expect(world.unexpected).toEqual([]);
  expect(reader.written()).toEqual(end.written());
  const { rows } = await fixture.sql.query<{ event_id: string; viewers: string[] }>('SELECT * FROM seen_at');
  const truth = rows.map(({ event_id, viewers }): [string, string[]] => [
    event_id,
    viewers.filter((id) => followed.includes(id)).sort(),
  ]);
  expect(truth.length).toBeGreaterThan(100);
  expect(viewersOf).toEqual(new Map(truth));
  const succeeded = Object.values(world.done).filter((count) => count > 0);
  expect(succeeded.length).toBeGreaterThan(30);
});

/** Reads alternately from each replica for a short time, until END. */
async function readLive(
  replicas: readonly ChatClient[],
  cursor: string,
  take: (event: Event) => Promise<void>,
): Promise<void> {
  let from = cursor;
  for (let turn = 0; ; turn++) {
    const chat = replicas[turn % replicas.length] as ChatClient;
    const startedAt = performance.now();
    for await (const response of chat.readEvents({ cursor: from, types: [] })) {
      for (const event of response.events) {
        if (event.type === 'END') return;
        await take(event);
      }
      from = response.cursor;
      if (performance.now() - startedAt > 200) break;
    }
  }
}
