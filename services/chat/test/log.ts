import type { Suite } from './harness.ts';

export interface LoggedEvent {
  readonly type: string;
  readonly account_ids: readonly string[] | null;
  readonly channel_id: string | null;
  readonly payload: Record<string, unknown>;
}

/** What a guild's part of the event log says, in its order. */
export async function eventsOf({ sql }: Suite, guild_id: string): Promise<LoggedEvent[]> {
  const { rows } = await sql.query<LoggedEvent>(
    'SELECT type, account_ids, channel_id, payload FROM events WHERE guild_id = $1 ORDER BY id',
    [guild_id],
  );
  return rows;
}

/** The types of the events that `work` writes. */
export async function typesWritten(
  suite: Suite,
  guild_id: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const before = (await eventsOf(suite, guild_id)).length;
  await work();
  return (await eventsOf(suite, guild_id)).slice(before).map(({ type }) => type);
}

export interface LoggedEntry {
  readonly action_type: number;
  readonly user_id: string;
  readonly target_id: string | null;
  readonly reason: string | null;
  readonly changes: unknown;
}

/** A guild's audit log, the oldest entry first. */
export async function auditOf({ sql }: Suite, guild_id: string): Promise<LoggedEntry[]> {
  const { rows } = await sql.query<LoggedEntry>(
    `SELECT action_type, user_id, target_id, reason, changes FROM audit_log_entries
     WHERE guild_id = $1 ORDER BY id`,
    [guild_id],
  );
  return rows;
}

/** What a guild says of the number of its members, and how many rows there are. */
export async function memberCounts(
  { sql }: Suite,
  guild_id: string,
): Promise<{ said: number; rows: number }> {
  const { rows } = await sql.query<{ said: number; rows: number }>(
    `SELECT member_count AS said,
       (SELECT count(*)::integer FROM members WHERE guild_id = $1) AS rows
     FROM guilds WHERE id = $1`,
    [guild_id],
  );
  return rows[0] ?? { said: 0, rows: 0 };
}
