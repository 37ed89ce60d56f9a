import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { ApplicationUsage } from '@gatehouse/proto/oauth2';
import type { Pool, PoolClient } from 'pg';

/** Failed requests that are kept of an application. */
export const MAX_KEPT_ERRORS = 50;
/** Seven days, including the current hour. */
const HOURS_OF_A_WEEK = 168;

/**
 * Adds a report to the current hour, once: a repeated one changes nothing. Applications that do not exist are left out.
 * Reports lock in the order of IDs, so that they do not wait for each other in a circle.
 */
export function addUsage(db: Pool, report_id: string, reported: readonly ApplicationUsage[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    const inserted = await tx.query({
      name: 'insert_usage_report',
      text: 'INSERT INTO usage_reports (id) VALUES ($1) ON CONFLICT DO NOTHING',
      values: [report_id],
    });
    if (inserted.rowCount === 0) return;
    const { rows } = await tx.query<{ id: string }>({
      name: 'lock_reported_applications',
      text: 'SELECT id FROM applications WHERE id = ANY ($1::bigint[]) ORDER BY id FOR KEY SHARE',
      values: [reported.map(({ application_id }) => application_id)],
    });
    const ids = new Set(rows.map(({ id }) => id));
    const known = reported.filter(({ application_id }) => ids.has(application_id));
    await addRequests(tx, known);
    await addErrors(tx, known);
  });
}

async function addRequests(tx: PoolClient, reported: readonly ApplicationUsage[]): Promise<void> {
  const rows = reported.flatMap(({ application_id, buckets }) =>
    buckets.map((counts) => ({ application_id, ...counts })),
  );
  if (rows.length === 0) return;
  await tx.query({
    name: 'add_requests',
    text: `INSERT INTO application_usage (application_id, hour, bucket, requests, limited)
           SELECT application_id, date_trunc('hour', now(), 'UTC'), bucket, sum(requests), sum(limited)
             FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])
                  AS counted (application_id, bucket, requests, limited)
            GROUP BY application_id, bucket ORDER BY application_id, bucket
               ON CONFLICT (application_id, hour, bucket) DO UPDATE
              SET requests = application_usage.requests + excluded.requests,
                  limited = application_usage.limited + excluded.limited`,
    values: [
      rows.map(({ application_id }) => application_id),
      rows.map(({ bucket }) => bucket),
      rows.map(({ requests }) => requests),
      rows.map(({ limited }) => limited),
    ],
  });
}

/**
 * Adds errors, and deletes the oldest above the maximum: by their time, because a report may arrive late. Errors that another
 * report deletes at the same moment are left to it.
 */
async function addErrors(tx: PoolClient, reported: readonly ApplicationUsage[]): Promise<void> {
  const rows = reported.flatMap(({ application_id, errors }) =>
    errors.map((error) => ({ application_id, ...error })),
  );
  if (rows.length === 0) return;
  const application_ids = rows.map(({ application_id }) => application_id);
  await tx.query({
    name: 'add_errors',
    text: `INSERT INTO application_errors (application_id, occurred_at, method, route, status, code, request_id)
           SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::smallint[], $6::text[],
                                $7::text[])`,
    values: [
      application_ids,
      rows.map(({ time }) => time),
      rows.map(({ method }) => method),
      rows.map(({ route }) => route),
      rows.map(({ status }) => status),
      rows.map(({ code }) => code),
      rows.map(({ request_id }) => request_id),
    ],
  });
  await tx.query({
    name: 'delete_surplus_errors',
    text: `DELETE FROM application_errors WHERE id = ANY (ARRAY (
             SELECT id FROM application_errors WHERE id IN (
               SELECT id FROM (
                 SELECT id, row_number() OVER (PARTITION BY application_id ORDER BY occurred_at DESC, id DESC) AS place
                   FROM application_errors WHERE application_id = ANY ($1::bigint[])) AS placed
                WHERE place > $2)
              FOR UPDATE SKIP LOCKED))`,
    values: [[...new Set(application_ids)], MAX_KEPT_ERRORS],
  });
}

/** The requests at a bucket in the last 24 hours and in the last seven days. Both include the current hour. */
export interface BucketRow {
  readonly bucket: string;
  readonly day_requests: number;
  readonly day_limited: number;
  readonly week_requests: number;
  readonly week_limited: number;
}

/** The buckets of the last seven days, the one with most requests first. */
export async function findUsage(db: Pool, application_id: string): Promise<BucketRow[]> {
  const { rows } = await db.query<BucketRow>({
    name: 'find_usage',
    text: `SELECT bucket,
                  coalesce(sum(requests) FILTER (WHERE is_of_day), 0)::double precision AS day_requests,
                  coalesce(sum(limited) FILTER (WHERE is_of_day), 0)::double precision AS day_limited,
                  sum(requests)::double precision AS week_requests,
                  sum(limited)::double precision AS week_limited
             FROM (SELECT bucket, requests, limited,
                          hour > date_trunc('hour', now(), 'UTC') - interval '24 hours' AS is_of_day
                     FROM application_usage
                    WHERE application_id = $1
                      AND hour > date_trunc('hour', now(), 'UTC') - interval '${HOURS_OF_A_WEEK} hours') AS counted
            GROUP BY bucket ORDER BY sum(requests) DESC, bucket`,
    values: [application_id],
  });
  return rows;
}

/** A failed request of an application. */
export interface ErrorRow {
  readonly occurred_at: Date;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly request_id: string;
}

/** The last failed requests of the last seven days, the newest first. */
export async function findErrors(db: Pool, application_id: string): Promise<ErrorRow[]> {
  const { rows } = await db.query<ErrorRow>({
    name: 'find_errors',
    text: `SELECT occurred_at, method, route, status, code, request_id FROM application_errors
            WHERE application_id = $1 AND occurred_at > now() - interval '7 days'
            ORDER BY occurred_at DESC, id DESC LIMIT $2`,
    values: [application_id, MAX_KEPT_ERRORS],
  });
  return rows;
}
