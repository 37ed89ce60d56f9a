import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { Pool, PoolClient } from 'pg';
import type { SecurityEvent, SecurityEventKind } from './security-event.ts';

/** Adds an event to the audit log, in the transaction of the change if there is one. */
export async function insertSecurityEvent(
  db: Pool | PoolClient,
  id: string,
  { kind, account_id, caller, detail = {} }: SecurityEvent,
): Promise<void> {
  await db.query({
    name: 'insert_security_event',
    text: `INSERT INTO security_events (id, kind, account_id, ip, user_agent, session_id, detail)
           VALUES ($1, $2, $3, nullif($4, ''), nullif($5, ''), nullif($6, '')::bigint, $7)`,
    values: [
      id,
      kind,
      account_id,
      caller.ip,
      caller.user_agent,
      caller.kind === CallerKind.CALLER_KIND_SESSION ? caller.credential_id : null,
      detail,
    ],
  });
}

export interface StoredSecurityEvent {
  readonly id: string;
  readonly at: Date;
  readonly kind: string;
  readonly account_id: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly session_id: string | null;
  /** JSON. */
  readonly detail: string;
}

/** A query for a page of the audit log. */
export interface AuditLogQuery {
  readonly account_id: string | null;
  /** Null: all kinds. */
  readonly kinds: readonly SecurityEventKind[] | null;
  readonly since: Date | null;
  /** Only events with IDs between these two, exclusive. */
  readonly after: string | null;
  readonly before: string | null;
  /** Newest first, unless `after` is given. */
  readonly order: 'newest first' | 'oldest first';
  readonly limit: number;
}

/** A page of the audit log. The statement has only the given filters, so that PostgreSQL can choose the index. */
export async function findSecurityEvents(
  db: Pool,
  { account_id, kinds, since, after, before, order, limit }: AuditLogQuery,
): Promise<StoredSecurityEvent[]> {
  const filters: [condition: string, value: unknown][] = [
    ['account_id = ?', account_id],
    ['kind = ANY (?::text[])', kinds],
    ['at >= ?', since],
    ['id > ?', after],
    ['id < ?', before],
  ];
  const given = filters.filter(([, value]) => value !== null);
  const conditions = given.map(([condition], index) => condition.replace('?', `$${index + 2}`));
  const { rows } = await db.query<StoredSecurityEvent>(
    `SELECT id, at, kind, account_id, ip, user_agent, session_id, detail::text AS detail
       FROM security_events
      ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
      ORDER BY id ${order === 'newest first' ? 'DESC' : 'ASC'} LIMIT $1`,
    [limit, ...given.map(([, value]) => value)],
  );
  return rows;
}
