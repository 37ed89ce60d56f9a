import type { PoolClient } from 'pg';
import type { AuditEntry } from '../audit-log/entry.ts';

/** Writes entries, each with its ID, in the transaction of the change. */
export async function insertAuditEntries(
  tx: PoolClient,
  entries: readonly (AuditEntry & { readonly id: string })[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.query({
    name: 'insert_audit_log_entries',
    text: `
      INSERT INTO audit_log_entries (id, guild_id, action_type, user_id, target_id, reason, options, changes)
      SELECT id, guild_id, action_type, user_id, target_id, reason, options, COALESCE(changes, '[]')
      FROM jsonb_to_recordset($1::jsonb) AS entry(id bigint, guild_id bigint, action_type smallint, user_id bigint,
        target_id bigint, reason text, options jsonb, changes jsonb)`,
    values: [JSON.stringify(entries)],
  });
}

/** Writes an entry in the transaction of the change. */
export async function insertAuditEntry(tx: PoolClient, id: string, entry: AuditEntry): Promise<void> {
  const { guild_id, action_type, user_id, target_id, reason, options, changes = [] } = entry;
  await tx.query({
    name: 'insert_audit_log_entry',
    text: `
      INSERT INTO audit_log_entries (id, guild_id, action_type, user_id, target_id, reason, options, changes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      id,
      guild_id,
      action_type,
      user_id,
      target_id ?? null,
      reason,
      options === undefined ? null : JSON.stringify(options),
      JSON.stringify(changes),
    ],
  });
}
