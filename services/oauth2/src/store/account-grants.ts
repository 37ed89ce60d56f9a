import type { Pool } from 'pg';

/** The access of an application to an account. */
export interface AccountGrant {
  readonly application_id: string;
  readonly name: string;
  /** In alphabetical order. */
  readonly scopes: string[];
  /** When the oldest of its codes and tokens was issued. */
  readonly authorized_at: Date;
}

/** Grants that are read at once. */
export const MAX_GRANTS = 100;

/** The newest grants of an account. Codes and refresh tokens past their lifetime count, until they are deleted. */
export async function findAccountGrants(db: Pool, account_id: string): Promise<AccountGrant[]> {
  const { rows } = await db.query<AccountGrant>({
    name: 'find_account_grants',
    text: `SELECT application_id, name, array_agg(DISTINCT scope ORDER BY scope) AS scopes,
                  min(granted.created_at) AS authorized_at
             FROM (SELECT application_id, scopes, created_at FROM authorization_codes WHERE account_id = $1
                    UNION ALL
                   SELECT application_id, scopes, created_at FROM access_tokens
                    WHERE account_id = $1 AND expires_at > now()
                    UNION ALL
                   SELECT application_id, scopes, created_at FROM refresh_tokens WHERE account_id = $1) AS granted
             JOIN applications ON applications.id = application_id, unnest(scopes) AS scope
            GROUP BY application_id, name ORDER BY authorized_at DESC, application_id DESC
            LIMIT ${MAX_GRANTS}`,
    values: [account_id],
  });
  return rows;
}
