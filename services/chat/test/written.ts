import type { Suite } from './harness.ts';

export interface WrittenEvent {
  readonly type: string;
  readonly account_ids: string[] | null;
  readonly channel_id: string | null;
  readonly payload: Record<string, unknown>;
}

/** The events of a guild in the order of the log, its making left out. */
export async function eventsOf({ sql }: Suite, guild_id: string): Promise<WrittenEvent[]> {
  const { rows } = await sql.query<WrittenEvent>(
    'SELECT type, account_ids, channel_id, payload FROM events WHERE guild_id = $1 ORDER BY id OFFSET 1',
    [guild_id],
  );
  return rows;
}

/** The audit log of a guild, oldest first. */
export async function entriesOf({ sql }: Suite, guild_id: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql.query(
    `SELECT action_type, user_id, target_id, reason, options, changes
     FROM audit_log_entries WHERE guild_id = $1 ORDER BY id`,
    [guild_id],
  );
  return rows;
}
