import type { Pool } from 'pg';
import type { PrismaClient } from './prisma.ts';

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
}

/** SQL: the columns of an `AdminRow`. */
export const ADMIN_COLUMNS =
  'id, name, owner_id, redirect_uris, created_at, disabled_at, disabled_by, disabled_reason';

/** A page of applications, newest first. */
export interface ApplicationPage {
  /** Only smaller IDs. */
  readonly before: string;
  readonly limit: number;
}

/** All applications. */
export async function findAllApplications(
  prisma: PrismaClient,
  { before, limit }: ApplicationPage,
): Promise<AdminRow[]> {
  const found = await prisma.application.findMany({
    where: { id: { lt: BigInt(before) } },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return found.map((row) => ({ ...row, id: String(row.id), owner_id: String(row.owner_id) }));
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

/**
 * The applications that a query matches. Each part reads its own index: a plan is for all values, so the prefix is a range
 * instead of a pattern, which also has no characters of its own meaning.
 */
export async function findMatchingApplications(
  db: Pool,
  { name, id }: ApplicationQuery,
  { before, limit }: ApplicationPage,
): Promise<AdminRow[]> {
  const { rows } = await db.query<AdminRow>({
    name: 'find_matching_applications',
    text: `WITH found AS MATERIALIZED (
             SELECT ${ADMIN_COLUMNS} FROM applications
              WHERE lower(name) ~>=~ lower($1) AND lower(name) ~<~ (lower($1) || ${LAST_CHARACTER})
              UNION
             SELECT ${ADMIN_COLUMNS} FROM applications WHERE id = $2::bigint
              UNION
             SELECT ${ADMIN_COLUMNS} FROM applications WHERE owner_id = $2::bigint)
           SELECT * FROM found WHERE id < $3 ORDER BY id DESC LIMIT $4`,
    values: [name, id, before, limit],
  });
  return rows;
}

/** An application with the counts of its accounts, requests and errors. */
export interface ApplicationActivity extends AdminRow {
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
                     SELECT account_id FROM access_tokens WHERE application_id = $1 AND expires_at > now()
                      UNION SELECT account_id FROM refresh_tokens WHERE application_id = $1) AS granted) AS accounts,
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
