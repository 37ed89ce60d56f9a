import type { PoolClient } from 'pg';
import type { Event } from '../events/event.ts';

/**
 * Writes events, in this order. The transaction has locked the guild, or the private channel, that they are about: so
 * their order in the log is that of the commits.
 */
export async function insertEvents(tx: PoolClient, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({
    name: 'insert_events',
    text: `
      INSERT INTO events (type, account_ids, channel_id, guild_id, payload, state)
      SELECT type, account_ids, channel_id, guild_id, payload, state
      FROM jsonb_to_recordset($1::jsonb) AS event(n integer, type text, account_ids bigint[], channel_id bigint,
        guild_id bigint, payload jsonb, state jsonb)
      ORDER BY n`,
    values: [JSON.stringify(events.map((event, n) => ({ n, ...event })))],
  });
}
