import { afterAll, beforeAll, expect, test } from 'vitest';
import { expired } from '../src/store/expired-rows.ts';
import { addGuild } from './support/guilds.ts';
import { as } from './support/requests.ts';
import { type ChatFixture, startChat } from './support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_retention', 1, { background_every_ms: 20 });
});
afterAll(() => fixture.close());

test('claims older than a day are deleted in the background, those of 23 hours ago stay', async () => {
  await fixture.sql.query(
    `INSERT INTO deduplication_claims (webhook_id, key_sha256, message_id, claimed_at)
     VALUES (1, 'old', 2, now() - interval '24 h'), (1, 'live', 3, now() - interval '23 h')`,
  );
  const claimants = async () => {
    const { rows } = await fixture.sql.query('SELECT message_id FROM deduplication_claims');
    return rows.map(({ message_id }) => message_id);
  };
  await expect.poll(claimants).toEqual(['3']);
});

test('expired and used-up invites are deleted in the background, others stay', async () => {
  const { guild_id, general, owner } = await addGuild(fixture);
  const { invite } = await fixture.chat.createInvite({ channel_id: general }, as(owner));
  await fixture.sql.query(
    `INSERT INTO invites (code, guild_id, channel_id, inviter_id, uses, max_uses, max_age, expires_at)
     VALUES ('expired0', $1, $2, $3, 0, 0, 1, now()), ('usedUp00', $1, $2, $3, 2, 2, 0, NULL),
       ('oneLeft0', $1, $2, $3, 1, 2, 0, NULL)`,
    [guild_id, general, owner],
  );
  const codes = async () => {
    const { rows } = await fixture.sql.query('SELECT code FROM invites WHERE guild_id = $1', [guild_id]);
    return new Set(rows.map(({ code }) => code));
  };
  await expect.poll(codes).toEqual(new Set([invite?.code, 'oneLeft0']));
});

test('audit log entries older than 90 days are deleted in the background, younger ones stay', async () => {
  const { guild_id } = await addGuild(fixture);
  await fixture.sql.query(
    `INSERT INTO audit_log_entries (guild_id, id, action_type, user_id, changes)
     SELECT $1, ((extract(epoch FROM now() - days * interval '1 day') * 1000)::bigint - 1420070400000) << 22, 1, 1, '[]'
     FROM unnest(ARRAY[0, 89, 90, 91, 1000]) AS days`,
    [guild_id],
  );
  const ages = async () => {
    const { rows } = await fixture.sql.query<{ days: number }>(
      `SELECT round(extract(epoch FROM now()) / 86400 - ((id >> 22) + 1420070400000) / 86400000.0)::integer AS days
       FROM audit_log_entries WHERE guild_id = $1 ORDER BY id`,
      [guild_id],
    );
    return rows.map(({ days }) => days);
  };
  await expect.poll(ages).toEqual([89, 0]);
});

test('old entries are found by their index, in a log of any length', async () => {
  const entries = expired({ audit_log_days: 90 }).find(({ table }) => table === 'audit_log_entries');
  const tx = await fixture.sql.connect();
  try {
    await tx.query('BEGIN');
    await tx.query('SET LOCAL enable_seqscan = off');
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT FROM audit_log_entries WHERE ${entries?.where}`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('audit_log_entries_by_time');
  } finally {
    await tx.query('ROLLBACK');
    tx.release();
  }
});
