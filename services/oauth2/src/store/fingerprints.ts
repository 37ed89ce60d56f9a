import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { isWithinLifetime } from './lifetime.ts';

/** A live token or a client secret. */
export interface FoundToken {
  readonly kind: 'access token' | 'refresh token' | 'client secret';
  readonly application_id: string;
  /** Null for client secrets. */
  readonly account_id: string | null;
}

/** SQL: whether a hash begins with the fingerprint. The range reads the index of the column. */
const begins = (column: string) =>
  `${column} BETWEEN decode(rpad($1, 64, '0'), 'hex') AND decode(rpad($1, 64, 'f'), 'hex')`;

/** Finds a live token or a client secret by the first 16 hexadecimal digits of its SHA-256. */
export async function findByFingerprint(
  db: Pool,
  fingerprint: string,
  { refresh_token_lifetime_days }: Pick<Hardening, 'refresh_token_lifetime_days'>,
): Promise<FoundToken | undefined> {
  const { rows } = await db.query<FoundToken>({
    name: 'find_by_fingerprint',
    text: `SELECT 'access token' AS kind, application_id, account_id FROM access_tokens
            WHERE ${begins('token_hash')} AND expires_at > now()
            UNION ALL
           SELECT 'refresh token', application_id, account_id FROM refresh_tokens
            WHERE ${begins('token_hash')} AND ${isWithinLifetime(refresh_token_lifetime_days, 'days')}
            UNION ALL
           SELECT 'client secret', id, NULL FROM applications WHERE ${begins('client_secret_hash')}
            UNION ALL
           SELECT 'client secret', id, NULL FROM applications WHERE ${begins('second_secret_hash')}
            LIMIT 1`,
    values: [fingerprint],
  });
  return rows[0];
}
