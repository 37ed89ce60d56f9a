import type { OperatorAction } from '@gatehouse/kit/operator-form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Pool, PoolClient } from 'pg';

/** A guild as operators see it. */
export interface AdminGuildRow {
  readonly id: string;
  readonly name: string;
  readonly owner_id: string;
  readonly member_count: number;
  /** Null: enabled. */
  readonly disabled_at: Date | null;
  readonly disabled_by: string | null;
  readonly disabled_reason: string | null;
}

/** What a guild contains. */
export interface GuildSize {
  readonly channels: number;
  readonly roles: number;
  /** Of the last 24 hours, counted up to 10,000. */
  readonly messages: number;
}

const COLUMNS =
  'guilds.id, guilds.name, owner_id, member_count, guilds.disabled_at, guilds.disabled_by, guilds.disabled_reason';
const MAX_COUNTED = 10_000;
/** SQL: the first ID of the last 24 hours (kit/src/snowflake.ts). */
const A_DAY_AGO = '((extract(epoch FROM now()) * 1000)::bigint - 1420070400000 - 86400000) << 22';

/** Selects a page of guilds, newest first. */
export interface GuildPage {
  /** Only guilds with a smaller ID. */
  readonly before: string;
  readonly limit: number;
}

export async function findNewestGuilds(db: Pool, { before, limit }: GuildPage): Promise<AdminGuildRow[]> {
  const { rows } = await db.query<AdminGuildRow>({
    name: 'find_newest_guilds',
    text: `SELECT ${COLUMNS} FROM guilds WHERE id < $1 ORDER BY id DESC LIMIT $2`,
    values: [before, limit],
  });
  return rows;
}

/** Bounds the work of a short text. */
const MAX_NAMES = 10_000;

/**
 * The guilds with this ID or owner, and those whose name starts with the text, whatever its case: one index for each. Of
 * names, it takes the first 10,000. Their range is in the order of bytes, and has no wildcards. A pattern of LIKE would
 * need a new plan for each text.
 *
 * @param id null if the text is no ID
 */
export async function searchGuilds(
  db: Pool,
  { id, text }: { readonly id: string | null; readonly text: string },
  { before, limit }: GuildPage,
): Promise<AdminGuildRow[]> {
  const { rows } = await db.query<AdminGuildRow>({
    name: 'search_guilds',
    text: `
      WITH named AS (
        SELECT id FROM guilds WHERE id = $1
        UNION SELECT id FROM guilds WHERE owner_id = $1
        UNION (SELECT id FROM guilds
          WHERE lower(name) ~>=~ lower($2) AND lower(name) ~<=~ (lower($2) || chr(1114111))
          ORDER BY lower(name) USING ~<~ LIMIT ${MAX_NAMES})
      ), page AS MATERIALIZED (
        SELECT id FROM named WHERE id < $3 ORDER BY id DESC LIMIT $4
      )
      SELECT ${COLUMNS} FROM page JOIN guilds USING (id) ORDER BY id DESC`,
    values: [id, text, before, limit],
  });
  return rows;
}

/** The guilds with these IDs, newest first. */
export async function findGuildsById(db: Pool, ids: readonly string[]): Promise<AdminGuildRow[]> {
  const { rows } = await db.query<AdminGuildRow>({
    name: 'find_admin_guilds',
    text: `SELECT ${COLUMNS} FROM guilds WHERE id = ANY ($1::bigint[]) ORDER BY id DESC`,
    values: [ids],
  });
  return rows;
}

export async function findAdminGuild(db: Pool, guildId: string): Promise<AdminGuildRow | undefined> {
  const { rows } = await db.query<AdminGuildRow>({
    name: 'find_admin_guild',
    text: `SELECT ${COLUMNS} FROM guilds WHERE id = $1`,
    values: [guildId],
  });
  return rows[0];
}

/** Whether an operator disabled the guild. Without a lock: it may be disabled, or enabled, right afterwards. */
export async function isGuildDisabled(db: Pool, guildId: string): Promise<boolean> {
  return isSnowflake(guildId) && (await findAdminGuild(db, guildId))?.disabled_at != null;
}

export async function findGuildSize(db: Pool, guildId: string): Promise<GuildSize> {
  const { rows } = await db.query<GuildSize>({
    name: 'find_guild_size',
    text: `
      SELECT (SELECT count(*) FROM channels WHERE guild_id = $1)::integer AS channels,
        (SELECT count(*) FROM roles WHERE guild_id = $1)::integer AS roles,
        (SELECT count(*) FROM (
          SELECT FROM channels CROSS JOIN LATERAL (
            SELECT FROM messages WHERE channel_id = channels.id AND messages.id >= ${A_DAY_AGO}
            LIMIT ${MAX_COUNTED}) AS recent
          WHERE guild_id = $1 LIMIT ${MAX_COUNTED}) AS counted)::integer AS messages`,
    values: [guildId],
  });
  return rows[0] ?? { channels: 0, roles: 0, messages: 0 };
}

/** The newest guilds of an account. */
export async function findGuildsOfAccount(
  db: Pool,
  accountId: string,
  limit: number,
): Promise<AdminGuildRow[]> {
  const { rows } = await db.query<AdminGuildRow>({
    name: 'find_guilds_of_account',
    text: `
      SELECT ${COLUMNS} FROM members JOIN guilds ON guilds.id = members.guild_id
      WHERE members.account_id = $1 ORDER BY members.guild_id DESC LIMIT $2`,
    values: [accountId, limit],
  });
  return rows;
}

/** Reads and locks a guild, as every change of it does (store/guilds/guild-lock.ts). */
export async function lockAdminGuild(tx: PoolClient, guildId: string): Promise<AdminGuildRow | undefined> {
  const { rows } = await tx.query<AdminGuildRow>({
    name: 'lock_admin_guild',
    text: `SELECT ${COLUMNS} FROM guilds WHERE id = $1 FOR NO KEY UPDATE`,
    values: [guildId],
  });
  return rows[0];
}

/** Disables a locked guild. One that is disabled keeps its time, and gets this operator and reason. */
export async function disableGuildRow(
  tx: PoolClient,
  guildId: string,
  { operator, reason }: OperatorAction,
): Promise<AdminGuildRow | undefined> {
  const { rows } = await tx.query<AdminGuildRow>({
    name: 'disable_guild',
    text: `
      UPDATE guilds SET disabled_at = coalesce(disabled_at, now()), disabled_by = $2, disabled_reason = $3
      WHERE id = $1 RETURNING ${COLUMNS}`,
    values: [guildId, operator, reason],
  });
  return rows[0];
}

/** Enables a locked guild. */
export async function enableGuildRow(tx: PoolClient, guildId: string): Promise<AdminGuildRow | undefined> {
  const { rows } = await tx.query<AdminGuildRow>({
    name: 'enable_guild',
    text: `
      UPDATE guilds SET disabled_at = NULL, disabled_by = NULL, disabled_reason = NULL
      WHERE id = $1 RETURNING ${COLUMNS}`,
    values: [guildId],
  });
  return rows[0];
}
