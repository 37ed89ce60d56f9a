import type { PoolClient } from 'pg';
import { ACCOUNT_COLUMNS, type Account, PASSWORD_CHANGED_NOW } from './account.ts';

/** The columns to change. Absent columns do not change. */
export interface ProfileColumns {
  readonly username?: string;
  readonly username_key?: string;
  readonly email?: string;
  readonly email_key?: string;
  readonly password_hash?: string;
  readonly global_name?: string | null;
  readonly bio?: string | null;
  readonly pronouns?: string | null;
  readonly accent_color?: number | null;
  readonly locale?: string | null;
  /** Hashes. */
  readonly avatar?: string | null;
  readonly banner?: string | null;
}

/**
 * Changes an account. Undefined if it is gone, or if its password is not the one set at `password_changed_at` (null accepts
 * any). A new address is unverified; the same address in another letter case keeps its state. Until this transaction
 * ends, no other transaction can change the account or open a session.
 *
 * @throws a unique violation if a name is taken
 */
export async function updateProfile(
  tx: PoolClient,
  id: string,
  columns: ProfileColumns,
  password_changed_at: Date | null,
): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>({
    name: 'update_profile',
    text: `UPDATE accounts SET
             username = coalesce($2::jsonb ->> 'username', username),
             username_key = coalesce($2::jsonb ->> 'username_key', username_key),
             verified = verified AND coalesce($2::jsonb ->> 'email_key', email_key) IS NOT DISTINCT FROM email_key,
             email = coalesce($2::jsonb ->> 'email', email),
             email_key = coalesce($2::jsonb ->> 'email_key', email_key),
             password_changed_at = CASE WHEN $2::jsonb ? 'password_hash'
                                        THEN ${PASSWORD_CHANGED_NOW} ELSE password_changed_at END,
             password_hash = coalesce($2::jsonb ->> 'password_hash', password_hash),
             ${['global_name', 'bio', 'pronouns', 'locale', 'avatar', 'banner'].map(nullable).join(', ')},
             accent_color = CASE WHEN $2::jsonb ? 'accent_color'
                                 THEN ($2::jsonb ->> 'accent_color')::integer ELSE accent_color END
           WHERE id = $1 AND ($3::timestamptz IS NULL OR password_changed_at = $3)
           RETURNING ${ACCOUNT_COLUMNS}`,
    values: [id, columns, password_changed_at],
  });
  return rows[0];
}

function nullable(column: string): string {
  return `${column} = CASE WHEN $2::jsonb ? '${column}' THEN $2::jsonb ->> '${column}' ELSE ${column} END`;
}
