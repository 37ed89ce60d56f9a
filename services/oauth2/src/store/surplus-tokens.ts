import type { Pool } from 'pg';
import { STEP } from './delete-some.ts';

/** How many of a user an application may have (docs/oauth2.md#grant-limits). */
const MAX_LIVE = { access_tokens: 100, refresh_tokens: 1_000 } as const;

/** A user's grants to an application. */
export interface GrantOf {
  readonly account_id: string;
  readonly application_id: string;
}

/**
 * Ends the oldest tokens where a user has too many of an application. It comes after what issued the last one: of
 * simultaneous exchanges the one that is stored last finds all others.
 */
export async function deleteSurplusTokens(db: Pool, grants: readonly GrantOf[]): Promise<void> {
  if (grants.length === 0) return;
  const values = [
    grants.map(({ account_id }) => account_id),
    grants.map(({ application_id }) => application_id),
  ];
  await db.query({
    name: 'delete_surplus_access',
    text: statement('access_tokens', 'expires_at > now()'),
    values,
  });
  await db.query({ name: 'delete_surplus_refresh', text: statement('refresh_tokens', 'true'), values });
}

/** SQL. It waits for nobody: a row that another has locked is being deleted. */
function statement(table: keyof typeof MAX_LIVE, live: string): string {
  return `
    WITH surplus AS MATERIALIZED (
      SELECT id FROM (
        SELECT DISTINCT account_id, application_id FROM unnest($1::bigint[], $2::bigint[])
          AS given(account_id, application_id)) AS grants,
        LATERAL (
          SELECT id FROM ${table} AS token
           WHERE token.account_id = grants.account_id AND token.application_id = grants.application_id AND ${live}
           ORDER BY created_at DESC, id DESC OFFSET ${MAX_LIVE[table]} LIMIT ${STEP}) AS old),
    held AS MATERIALIZED (
      SELECT id FROM ${table} WHERE id IN (SELECT id FROM surplus) FOR UPDATE SKIP LOCKED)
    DELETE FROM ${table} WHERE id IN (SELECT id FROM held)`;
}
