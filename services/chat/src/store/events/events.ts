import type { PoolClient } from 'pg';
import type { GuildRows } from '../guilds/guild-states.ts';

/** An event for sessions (docs/events.md): a row of the event log. */
export interface Event {
  readonly type: EventType;
  /** If there are any, only these accounts receive the event. */
  readonly account_ids?: readonly string[];
  /** Otherwise the accounts that can view this channel receive it; events of invites require MANAGE_CHANNELS in it. */
  readonly channel_id?: string;
  /** Otherwise all members of this guild receive it. For a channel it is the channel's guild. */
  readonly guild_id?: string;
  readonly payload: object;
  /** The guild's state at the event. Payloads do not include it. */
  readonly state?: GuildRows;
}

type EventType =
  | 'GUILD_CREATE'
  | 'GUILD_UPDATE'
  | 'GUILD_DELETE'
  | 'GUILD_ROLE_CREATE'
  | 'GUILD_ROLE_UPDATE'
  | 'GUILD_ROLE_DELETE'
  | 'GUILD_MEMBER_ADD'
  | 'GUILD_MEMBER_UPDATE'
  | 'GUILD_MEMBER_REMOVE'
  | 'CHANNEL_CREATE'
  | 'CHANNEL_UPDATE'
  | 'CHANNEL_DELETE'
  | 'CHANNEL_RECIPIENT_ADD'
  | 'CHANNEL_RECIPIENT_REMOVE'
  | 'MESSAGE_CREATE'
  | 'MESSAGE_UPDATE'
  | 'MESSAGE_DELETE'
  | 'INVITE_CREATE'
  | 'INVITE_DELETE'
  | 'WEBHOOKS_UPDATE';

/**
 * Writes events in this order. The transaction has locked their guild or private channel, so that they are logged in
 * commit order.
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
