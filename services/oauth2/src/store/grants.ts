import type { Pool } from 'pg';

/** What users have granted an application. */
export interface Grants {
  /** Whether there is a code that was not exchanged. */
  readonly has_code: boolean;
  /** Whether there is an access or refresh token. */
  readonly has_token: boolean;
}

/** Whether an application has codes and tokens of any user. */
export async function findGrants(db: Pool, application_id: string): Promise<Grants> {
  const { rows } = await db.query<Grants>({
    name: 'find_grants',
    text: `SELECT EXISTS (SELECT FROM authorization_codes WHERE application_id = $1) AS has_code,
                  EXISTS (SELECT FROM access_tokens WHERE application_id = $1)
                    OR EXISTS (SELECT FROM refresh_tokens WHERE application_id = $1) AS has_token`,
    values: [application_id],
  });
  return rows[0] ?? { has_code: false, has_token: false };
}
