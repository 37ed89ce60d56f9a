import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { byteaArray } from './bytea-array.ts';
import { isYoung } from './lifetime.ts';

/** A live access or refresh token. */
export interface Token {
  readonly kind: 'access' | 'refresh';
  readonly application_id: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly created_at: Date;
  /** Null for a refresh token. */
  readonly expires_at: Date | null;
}

/** The live tokens with these hashes, in hex and in their order; undefined where there is none. */
export async function findTokens(
  db: Pool,
  token_hashes: readonly string[],
  { refresh_token_lifetime_days }: Pick<Hardening, 'refresh_token_lifetime_days'>,
): Promise<(Token | undefined)[]> {
  const { rows } = await db.query<Token & { token_hash: string }>({
    name: 'find_tokens',
    text: `SELECT encode(token_hash, 'hex') AS token_hash, 'access' AS kind, application_id, account_id, scopes,
                  created_at, expires_at
             FROM access_tokens WHERE token_hash = ANY ($1::bytea[]) AND expires_at > now()
           UNION ALL
           SELECT encode(token_hash, 'hex'), 'refresh', application_id, account_id, scopes, created_at, NULL
             FROM refresh_tokens
            WHERE token_hash = ANY ($1::bytea[]) AND ${isYoung(refresh_token_lifetime_days, 'days')}`,
    values: [byteaArray(token_hashes)],
  });
  const byHash = new Map(rows.map(({ token_hash, ...token }) => [token_hash, token]));
  return token_hashes.map((token_hash) => byHash.get(token_hash));
}
