import { type EventTable, eventTable } from '@gatehouse/kit/event-log/event-table';
import type { Pool } from 'pg';
import type { GuildRows } from '../guilds/guild-states.ts';
import { isoText } from '../iso-text.ts';

/** A stored event. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly account_ids: readonly string[] | null;
  readonly channel_id: string | null;
  readonly guild_id: string | null;
  /** JSON text. */
  readonly payload: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** The transaction that wrote it. */
  readonly xact_id: string;
}

const EVENT_COLUMNS = `id, type, account_ids, channel_id, guild_id, payload::text AS payload, xact_id,
  ${isoText('created_at')} AS created_at`;

/** The table of the event log for its reader. */
export function eventLogTable(db: Pool): EventTable<StoredEvent> {
  return eventTable(db, EVENT_COLUMNS);
}

/** Reads the events with these IDs that are still in the log, on request with their guild states. */
export async function findEvents(
  db: Pool,
  ids: readonly string[],
  withStates: boolean,
): Promise<(StoredEvent & { readonly state?: GuildRows | null })[]> {
  const { rows } = await db.query<StoredEvent & { state?: GuildRows | null }>({
    name: withStates ? 'find_events_with_states' : 'find_events',
    text: `SELECT ${EVENT_COLUMNS} ${withStates ? ', state' : ''} FROM events WHERE id = ANY($1::bigint[])`,
    values: [ids],
  });
  return rows;
}
