import { type EventTable, eventTable } from '@gatehouse/kit/event-log/event-table';
import type { Pool } from 'pg';
import type { GuildRows } from '../guilds/guild-states.ts';

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

const COLUMNS = `id, type, account_ids, channel_id, guild_id, payload::text AS payload, xact_id,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`;

/** The table of the event log for its reader. */
export function eventLogTable(db: Pool): EventTable<StoredEvent> {
  return eventTable(db, COLUMNS);
}

/** Reads those of the events that are still in the log, with their stored guild states. */
export async function findEvents(
  db: Pool,
  ids: readonly string[],
  withStates: boolean,
): Promise<(StoredEvent & { readonly state?: GuildRows | null })[]> {
  const { rows } = await db.query<StoredEvent & { state?: GuildRows | null }>({
    name: withStates ? 'find_events_with_states' : 'find_events',
    text: `SELECT ${COLUMNS} ${withStates ? ', state' : ''} FROM events WHERE id = ANY($1::bigint[])`,
    values: [ids],
  });
  return rows;
}
