import type { Pool, PoolClient } from 'pg';

/** The latest data export of an account. */
export interface DataExportRow {
  readonly status: 'preparing' | 'ready' | 'failed';
  /** Percent. */
  readonly progress: number;
  readonly requested_at: Date;
  readonly ready_at: Date | null;
  readonly expires_at: Date | null;
  /** Bytes. */
  readonly size: number | null;
  /** When the account may ask for the next one. */
  readonly available_at: Date;
}

const COLUMNS = `status, progress, requested_at, ready_at, expires_at, size::float8 AS size,
  CASE WHEN status = 'failed' THEN now() ELSE requested_at + interval '1 day' END AS available_at`;

/** Undefined without one, or once it has expired. */
export async function findDataExport(
  db: Pool | PoolClient,
  account_id: string,
): Promise<DataExportRow | undefined> {
  const { rows } = await db.query<DataExportRow>({
    name: 'find_data_export',
    text: `SELECT ${COLUMNS} FROM data_exports
            WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > now())`,
    values: [account_id],
  });
  return rows[0];
}

/** Requests an export. Undefined while another one is made, and for a day after one that succeeded. */
export async function requestDataExport(
  tx: PoolClient,
  account_id: string,
  { ip, user_agent }: { readonly ip: string; readonly user_agent: string },
): Promise<DataExportRow | undefined> {
  const { rows } = await tx.query<DataExportRow>({
    name: 'request_data_export',
    text: `INSERT INTO data_exports (account_id, status, ip, user_agent) VALUES ($1, 'preparing', $2, $3)
           ON CONFLICT (account_id) DO UPDATE
              SET status = 'preparing', progress = 0, requested_at = now(), ready_at = NULL, expires_at = NULL,
                  size = NULL, attempts = 0, next_attempt_at = now(),
                  ip = excluded.ip, user_agent = excluded.user_agent
            WHERE data_exports.status = 'failed'
               OR data_exports.status = 'ready' AND data_exports.requested_at <= now() - interval '1 day'
           RETURNING ${COLUMNS}`,
    values: [account_id, ip, user_agent],
  });
  return rows[0];
}

/** An attempt to make an export. Only the newest attempt of an account may write. */
export interface ExportAttempt {
  readonly account_id: string;
  readonly number: number;
  /** The client that asked for the export. */
  readonly ip: string;
  readonly user_agent: string;
}

/** Claims exports that are due: new ones, failed attempts, and those whose replica has died. */
export async function claimDataExports(db: Pool, limit: number, lease_ms: number): Promise<ExportAttempt[]> {
  const { rows } = await db.query<ExportAttempt>({
    name: 'claim_data_exports',
    text: `WITH due AS MATERIALIZED (
             SELECT account_id FROM data_exports WHERE status = 'preparing' AND next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE data_exports
              SET attempts = attempts + 1, progress = 0,
                  next_attempt_at = now() + $2::double precision * interval '1 millisecond'
             FROM due WHERE data_exports.account_id = due.account_id
        RETURNING data_exports.account_id, attempts AS number, ip, user_agent`,
    values: [limit, lease_ms],
  });
  return rows;
}

/**
 * Locks the export for its attempt, notes the progress and renews the lease. Returns false if another attempt has taken
 * over, or the account is gone.
 */
export async function renewDataExport(
  tx: PoolClient,
  { account_id, number }: Pick<ExportAttempt, 'account_id' | 'number'>,
  { progress, lease_ms }: { readonly progress: number; readonly lease_ms: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'renew_data_export',
    text: `UPDATE data_exports
              SET progress = $3, next_attempt_at = now() + $4::double precision * interval '1 millisecond'
            WHERE account_id = $1 AND attempts = $2 AND status = 'preparing'`,
    values: [account_id, number, progress, lease_ms],
  });
  return rowCount === 1;
}

/** Ends an attempt that succeeded, in the transaction that has renewed it. */
export async function completeDataExport(tx: PoolClient, account_id: string, size: number): Promise<void> {
  await tx.query({
    name: 'complete_data_export',
    text: `UPDATE data_exports
              SET status = 'ready', progress = 100, size = $2, ready_at = now(), expires_at = now() + interval '7 days'
            WHERE account_id = $1`,
    values: [account_id, size],
  });
}

/** Ends an attempt that failed. The next one is due after the delay; after the last one, the export has failed. */
export async function failDataExport(
  db: Pool,
  { account_id, number }: ExportAttempt,
  { is_last, delay_ms }: { readonly is_last: boolean; readonly delay_ms: number },
): Promise<void> {
  await db.query({
    name: 'fail_data_export',
    text: `UPDATE data_exports
              SET status = CASE WHEN $3 THEN 'failed' ELSE status END,
                  expires_at = CASE WHEN $3 THEN now() + interval '7 days' END,
                  next_attempt_at = now() + $4::double precision * interval '1 millisecond'
            WHERE account_id = $1 AND attempts = $2 AND status = 'preparing'`,
    values: [account_id, number, is_last, delay_ms],
  });
}
