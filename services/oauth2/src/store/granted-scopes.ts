import type { Pool } from 'pg';
import { isRefused } from './refusals.ts';

/** The scopes of all live access tokens of a user for an application, unless they are refused. */
export async function findGrantedScopes(
  db: Pool,
  account_id: string,
  application_id: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ scope: string }>({
    name: 'find_granted_scopes',
    text: `SELECT DISTINCT unnest(scopes) AS scope FROM access_tokens
            WHERE account_id = $1 AND application_id = $2 AND expires_at > now()
              AND NOT ${isRefused('access_tokens')}`,
    values: [account_id, application_id],
  });
  return new Set(rows.map(({ scope }) => scope));
}
