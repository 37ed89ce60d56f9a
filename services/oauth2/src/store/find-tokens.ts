import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { byteaArray } from './bytea-array.ts';
import type { OauthClient } from './clients.ts';
import { isWithinLifetime } from './lifetime.ts';
import { IS_REFUSED_CLIENT, isRefused } from './refusals.ts';

/** A client ID and a token hash to look up. */
export interface TokenQuery {
  readonly client_id: string | undefined;
  /** SHA-256, in hex. */
  readonly token_hash: string;
}

/** The results of a query. */
export interface ClientAndToken {
  readonly client: OauthClient | undefined;
  readonly token: Token | undefined;
}

/** A live access or refresh token. */
export interface Token {
  readonly kind: 'access' | 'refresh';
  readonly application_id: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly created_at: Date;
  /** Null for a refresh token. */
  readonly expires_at: Date | null;
  /** Whether it is refused: its account is suspended, or its application disabled. */
  readonly is_refused: boolean;
}

type Row = {
  readonly client_id: string | null;
  readonly client_secret_hash: string | null;
  readonly second_secret_hash: string | null;
} & (Token | { readonly kind: null });

/** Clients that are not refused, and live tokens, in the order of the queries. */
export async function findTokens(
  db: Pool,
  queries: readonly TokenQuery[],
  { refresh_token_lifetime_days }: Pick<Hardening, 'refresh_token_lifetime_days'>,
): Promise<ClientAndToken[]> {
  const { rows } = await db.query<Row>({
    name: 'find_tokens',
    text: `SELECT applications.id AS client_id, encode(client_secret_hash, 'hex') AS client_secret_hash,
                  encode(second_secret_hash, 'hex') AS second_secret_hash, token.*
             FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS given(client_id, token_hash, n)
             LEFT JOIN applications ON applications.id = given.client_id AND NOT ${IS_REFUSED_CLIENT}
             LEFT JOIN LATERAL (
               SELECT 'access' AS kind, application_id, account_id, scopes, created_at, expires_at,
                      ${isRefused('access_tokens')} AS is_refused
                 FROM access_tokens WHERE token_hash = given.token_hash AND expires_at > now()
               UNION ALL
               SELECT 'refresh', application_id, account_id, scopes, created_at, NULL,
                      ${isRefused('refresh_tokens')}
                 FROM refresh_tokens
                 WHERE token_hash = given.token_hash AND ${isWithinLifetime(refresh_token_lifetime_days, 'days')}
                LIMIT 1) AS token ON true
            ORDER BY n`,
    values: [
      queries.map(({ client_id }) => client_id ?? null),
      byteaArray(queries.map(({ token_hash }) => token_hash)),
    ],
  });
  return rows.map(({ client_id, client_secret_hash, second_secret_hash, ...token }) => ({
    client: client_id === null ? undefined : { id: client_id, client_secret_hash, second_secret_hash },
    token: token.kind === null ? undefined : token,
  }));
}
