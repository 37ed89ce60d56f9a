import type { ChatFixture } from './start-chat.ts';

export interface LoggedEvent {
  readonly type: string;
  readonly account_ids: readonly string[] | null;
  readonly channel_id: string | null;
  readonly payload: Record<string, unknown>;
}

/** A guild's events in log order. */
export async function eventsOf({ sql }: ChatFixture, guild_id: string): Promise<LoggedEvent[]> {
  const { rows } = await sql.query<LoggedEvent>(
    'SELECT type, account_ids, channel_id, payload FROM events WHERE guild_id = $1 ORDER BY id',
    [guild_id],
  );
  return rows;
}

/** The same without the guild's creation. */
export async function laterEventsOf(fixture: ChatFixture, guild_id: string): Promise<LoggedEvent[]> {
  return (await eventsOf(fixture, guild_id)).slice(1);
}

/** A channel's events in log order. */
export async function channelEvents(
  { sql }: ChatFixture,
  channel_id: string,
): Promise<Omit<LoggedEvent, 'channel_id'>[]> {
  const { rows } = await sql.query<LoggedEvent>(
    'SELECT type, account_ids, payload FROM events WHERE channel_id = $1 ORDER BY id',
    [channel_id],
  );
  return rows;
}

/** The types of the events that `work` writes. */
export async function typesWritten(
  fixture: ChatFixture,
  guild_id: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const before = (await eventsOf(fixture, guild_id)).length;
  await work();
  return (await eventsOf(fixture, guild_id)).slice(before).map(({ type }) => type);
}

export interface LoggedEntry {
  readonly action_type: number;
  readonly user_id: string;
  readonly target_id: string | null;
  readonly reason: string | null;
  readonly options: object | null;
  readonly changes: readonly { key: string; old_value?: unknown; new_value?: unknown }[];
}

/** A guild's audit log, oldest first. */
export async function entriesOf({ sql }: ChatFixture, guild_id: string): Promise<LoggedEntry[]> {
  const { rows } = await sql.query<LoggedEntry>(
    `SELECT action_type, user_id, target_id, reason, options, changes FROM audit_log_entries
     WHERE guild_id = $1 ORDER BY id`,
    [guild_id],
  );
  return rows;
}

/** The entries for a target, without its ID. */
export async function entriesAbout(
  fixture: ChatFixture,
  guild_id: string,
  target: string,
): Promise<Omit<LoggedEntry, 'target_id'>[]> {
  const entries = await entriesOf(fixture, guild_id);
  return entries.filter(({ target_id }) => target_id === target).map(({ target_id: _, ...entry }) => entry);
}

/** A guild's member_count, and its number of rows. */
export async function memberCounts(
  { sql }: ChatFixture,
  guild_id: string,
): Promise<{ stored: number; actual: number }> {
  const { rows } = await sql.query<{ stored: number; actual: number }>(
    `SELECT member_count AS stored,
       (SELECT count(*)::integer FROM members WHERE guild_id = $1) AS actual
     FROM guilds WHERE id = $1`,
    [guild_id],
  );
  return rows[0] ?? { stored: 0, actual: 0 };
}
