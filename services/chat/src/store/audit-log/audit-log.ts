import type { PoolClient } from 'pg';
import type { AuditLogEntry } from '../../generated/prisma/client.ts';
import type { PrismaClient } from '../prisma.ts';
import type { AuditAction } from './audit-action.ts';

/** A changed field of an object. A value is absent if the field had none, or has none now. */
export interface AuditChange {
  readonly key: string;
  readonly old_value?: unknown;
  readonly new_value?: unknown;
}

export interface AuditEntry {
  readonly guild_id: string;
  readonly action_type: AuditAction;
  /** The actor's account. */
  readonly user_id: string;
  readonly target_id?: string | null;
  readonly reason: string | null;
  readonly options?: object;
  readonly changes?: readonly AuditChange[];
}

/** Selects a page of a guild's audit log. */
export interface AuditLogQuery {
  /** The actor's account. */
  readonly user_id: string | undefined;
  readonly action_type: number | undefined;
  /** `before` selects the nearest older entries, `after` the nearest newer ones. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** Writes entries with new IDs, in the transaction of the change. */
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

/** The maximum of PostgreSQL's smallint, which no action exceeds. */
const MAX_ACTION_TYPE = 32_767;

/**
 * Reads a page of entries, newest first. The statement has only the filters of the query, and each combination has an
 * index, so that a page costs the same in a log of any length.
 */
export async function findAuditEntries(
  prisma: PrismaClient,
  guildId: string,
  { user_id, action_type, before, after, limit }: AuditLogQuery,
): Promise<AuditEntryRow[]> {
  if (Math.abs(action_type ?? 0) > MAX_ACTION_TYPE) return [];
  const found = await prisma.auditLogEntry.findMany({
    where: {
      guild_id: BigInt(guildId),
      ...(user_id !== undefined && { user_id: BigInt(user_id) }),
      ...(action_type !== undefined && { action_type }),
      ...(before !== undefined && { id: { lt: BigInt(before) } }),
      ...(after !== undefined && { id: { gt: BigInt(after) } }),
    },
    orderBy: { id: after === undefined ? 'desc' : 'asc' },
    take: limit,
    omit: { guild_id: true },
  });
  const rows = found.map(rowOf);
  return after === undefined ? rows : rows.reverse();
}

function rowOf(entry: Omit<AuditLogEntry, 'guild_id'>): AuditEntryRow {
  return {
    ...entry,
    id: String(entry.id),
    user_id: String(entry.user_id),
    target_id: entry.target_id?.toString() ?? null,
    options: entry.options as object | null, // insertAuditEntries wrote both
    changes: entry.changes as unknown as AuditChange[],
  };
}
