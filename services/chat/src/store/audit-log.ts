import type { Pool, PoolClient } from 'pg';
import type { AuditLogQuery } from '../audit-log/audit-log-query.ts';
import type { AuditChange, AuditEntry } from '../audit-log/entry.ts';

/** Writes entries, each with a new ID, in the transaction of the change. */
export async function insertAuditEntries(
  tx: PoolClient,
  ids: () => string,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.query({
    name: 'insert_audit_log_entries',
    text: `
      INSERT INTO audit_log_entries (id, guild_id, action_type, user_id, target_id, reason, options, changes)
      SELECT id, guild_id, action_type, user_id, target_id, reason, options, COALESCE(changes, '[]')
      FROM jsonb_to_recordset($1::jsonb) AS entry(id bigint, guild_id bigint, action_type smallint, user_id bigint,
        target_id bigint, reason text, options jsonb, changes jsonb)`,
    values: [JSON.stringify(entries.map((entry) => ({ id: ids(), ...entry })))],
  });
}

/** An entry as it is stored. */
export interface AuditEntryRow {
  readonly id: string;
  readonly action_type: number;
  readonly user_id: string;
  readonly target_id: string | null;
  readonly reason: string | null;
  readonly options: object | null;
  readonly changes: readonly AuditChange[];
}

/**
 * A page of a guild's entries, newest first; with `after` the nearest after that one. The statement has only the given
 * filters, and each combination of filters its index: a page costs the same however long the log is.
 */
export async function readAuditEntries(
  db: Pool | PoolClient,
  guildId: string,
  { user_id, action_type, before, after, limit }: AuditLogQuery,
): Promise<AuditEntryRow[]> {
  const filters = [
    { name: 'user', condition: 'user_id = ?::bigint', value: user_id },
    { name: 'action', condition: 'action_type = ?::bigint', value: action_type },
    { name: 'before', condition: 'id < ?::bigint', value: before },
    { name: 'after', condition: 'id > ?::bigint', value: after },
  ].filter(({ value }) => value !== undefined);
  const conditions = filters.map(({ condition }, index) => `AND ${condition.replace('?', `$${index + 3}`)}`);
  const { rows } = await db.query<AuditEntryRow>({
    name: ['read_audit_log', ...filters.map(({ name }) => name)].join('_'),
    text: `
      SELECT id, action_type, user_id, target_id, reason, options, changes
      FROM audit_log_entries
      WHERE guild_id = $1 ${conditions.join(' ')}
      ORDER BY id ${after === undefined ? 'DESC' : 'ASC'}
      LIMIT $2`,
    values: [guildId, limit, ...filters.map(({ value }) => value)],
  });
  return after === undefined ? rows : rows.reverse();
}
