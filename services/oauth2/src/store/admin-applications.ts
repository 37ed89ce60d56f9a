import type { Pool } from 'pg';
import { isSuspended } from './refusals.ts';

/** An application as operators see it. */
export interface AdminRow {
  readonly id: string;
  readonly name: string;
  readonly owner_id: string;
  readonly redirect_uris: string[];
  readonly created_at: Date;
  /** The three are null together: the application is enabled. */
  readonly disabled_at: Date | null;
  readonly disabled_by: string | null;
  readonly disabled_reason: string | null;
  readonly owner_suspended: boolean;
}

/** SQL: the columns of an `AdminRow`. */
export const ADMIN_COLUMNS = `id, name, owner_id, redirect_uris, created_at, disabled_at, disabled_by, disabled_reason,
  ${isSuspended('applications.owner_id')} AS owner_suspended`;

/** A page of applications, newest first. */
export interface ApplicationPage {
  /** Only smaller IDs. */
  readonly before: string;
  readonly limit: number;
}

export async function findNewestApplications(
  db: Pool,
  { before, limit }: ApplicationPage,
): Promise<AdminRow[]> {
  const { rows } = await db.query<AdminRow>({
    name: 'find_newest_applications',
    text: `SELECT ${ADMIN_COLUMNS} FROM applications WHERE id < $1 ORDER BY id DESC LIMIT $2`,
    values: [before, limit],
  });
  return rows;
}

/** What a query can match. */
export interface ApplicationQuery {
  /** The start of a name. Case does not matter. */
  readonly name: string;
  /** The ID of an application or of its owner. Null: the query is no ID. */
  readonly id: string | null;
}

/** SQL: the last character of Unicode, which follows the prefix in every name that is after its names. */
const LAST_CHARACTER = 'chr(1114111)';

/** Bounds the work of a short prefix. */
const MAX_NAMES = 10_000;

/**
 * The applications that a query matches; of names, the first 10,000 in their order. Each part reads its own index: a plan is
 * for all values, so the prefix is a range instead of a pattern, which also has no characters of its own meaning.
 */
export async function searchApplications(
  db: Pool,
  { name, id }: ApplicationQuery,
  { before, limit }: ApplicationPage,
): Promise<AdminRow[]> {
  const { rows } = await db.query<AdminRow>({
    name: 'search_applications',
    text: `WITH found AS MATERIALIZED (
             (SELECT id FROM applications
               WHERE lower(name) ~>=~ lower($1) AND lower(name) ~<~ (lower($1) || ${LAST_CHARACTER})
               ORDER BY lower(name) USING ~<~ LIMIT ${MAX_NAMES})
              UNION SELECT id FROM applications WHERE id = $2::bigint
              UNION SELECT id FROM applications WHERE owner_id = $2::bigint),
           page AS MATERIALIZED (SELECT id FROM found WHERE id < $3 ORDER BY id DESC LIMIT $4)
           SELECT ${ADMIN_COLUMNS} FROM page JOIN applications USING (id) ORDER BY id DESC`,
    values: [name, id, before, limit],
  });
  return rows;
}

/** Bound the work of a count: accounts, and the tokens of each kind that are read for it. */
const MAX_ACCOUNTS = 10_000;
const MAX_TOKENS = 50_000;

/** An application with the counts of its accounts, requests and errors. */
export interface ApplicationActivity extends AdminRow {
  /** Up to 10,000, among 50,000 live access tokens and 50,000 refresh tokens. */
  readonly accounts: number;
  readonly requests: number;
  readonly errors: number;
}

/** Undefined if there is no such application. */
export async function findActivity(db: Pool, id: string): Promise<ApplicationActivity | undefined> {
  const { rows } = await db.query<ApplicationActivity>({
    name: 'find_application_activity',
    text: `SELECT ${ADMIN_COLUMNS},
                  (SELECT count(*)::integer FROM (
                     (SELECT account_id FROM access_tokens WHERE application_id = $1 AND expires_at > now()
                       LIMIT ${MAX_TOKENS})
                      UNION (SELECT account_id FROM refresh_tokens WHERE application_id = $1 LIMIT ${MAX_TOKENS})
                      LIMIT ${MAX_ACCOUNTS}) AS granted) AS accounts,
                  (SELECT coalesce(sum(requests), 0)::double precision FROM application_usage
                    WHERE application_id = $1
                      AND hour > date_trunc('hour', now(), 'UTC') - interval '24 hours') AS requests,
                  (SELECT count(*)::integer FROM application_errors
                    WHERE application_id = $1 AND occurred_at > now() - interval '24 hours') AS errors
             FROM applications WHERE id = $1`,
    values: [id],
  });
  return rows[0];
}
