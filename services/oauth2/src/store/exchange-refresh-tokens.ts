import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { byteaArray } from './bytea-array.ts';
import { rememberConsumed } from './consumed-grants.ts';
import { grantLockKey, holdApplications } from './grant-lock.ts';
import { isYoung } from './lifetime.ts';

/** A refresh token to be consumed, and the pair that is to take its place: hashes in hex. */
export interface Refresh {
  readonly spent_hash: string;
  readonly application_id: string;
  readonly access_id: string;
  readonly access_hash: string;
  readonly refresh_id: string;
  readonly refresh_hash: string;
}

/** What the new pair grants. */
export interface Issued {
  readonly account_id: string;
  readonly scopes: readonly string[];
}

/**
 * Consumes refresh tokens and issues their successors, in one statement and in the given order; undefined where there is
 * no such live token of the application, or another exchange was first. A revocation that runs meanwhile is waited for,
 * and then there is nothing to consume; or it waits, and finds what was issued.
 */
export async function exchangeRefreshTokens(
  db: Pool,
  refreshes: readonly Refresh[],
  lifetime_seconds: number,
  {
    refresh_token_lifetime_days,
    revoke_on_replay,
  }: Pick<Hardening, 'refresh_token_lifetime_days' | 'revoke_on_replay'>,
): Promise<(Issued | undefined)[]> {
  const { rows } = await db.query<Issued & { n: string }>({
    name: 'exchange_refresh_tokens',
    text: `
      WITH given AS MATERIALIZED (
        SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bytea[])
          WITH ORDINALITY
          AS given(spent_hash, application_id, access_id, access_hash, refresh_id, refresh_hash, n)),
      found AS MATERIALIZED (
        SELECT given.*, refresh_tokens.account_id FROM given JOIN refresh_tokens
          ON token_hash = spent_hash AND refresh_tokens.application_id = given.application_id
            AND ${isYoung(refresh_token_lifetime_days, 'days')}),
      locked AS MATERIALIZED (
        SELECT pg_advisory_xact_lock_shared(key) FROM (
          SELECT DISTINCT ${grantLockKey('account_id', 'application_id')} AS key FROM found ORDER BY key) AS keys),
      applications AS MATERIALIZED (${holdApplications('SELECT application_id FROM found', '(SELECT count(*) FROM locked) > 0')}),
      held AS MATERIALIZED (
        SELECT id, token_hash FROM refresh_tokens
        WHERE token_hash IN (SELECT spent_hash FROM found) AND application_id IN (SELECT id FROM applications)
        ORDER BY token_hash FOR UPDATE),
      consumed AS (
        DELETE FROM refresh_tokens USING held, found
        WHERE refresh_tokens.id = held.id AND found.spent_hash = held.token_hash
        RETURNING found.*, refresh_tokens.scopes),
      access AS (
        INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
        SELECT access_id, access_hash, application_id, account_id, scopes,
          now() + $7::double precision * interval '1 second' FROM consumed),
      refresh AS (
        INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
        SELECT refresh_id, refresh_hash, application_id, account_id, scopes FROM consumed)${rememberConsumed('spent_hash', revoke_on_replay)}
      SELECT n, account_id, scopes FROM consumed`,
    values: [
      byteaArray(refreshes.map(({ spent_hash }) => spent_hash)),
      refreshes.map(({ application_id }) => application_id),
      refreshes.map(({ access_id }) => access_id),
      byteaArray(refreshes.map(({ access_hash }) => access_hash)),
      refreshes.map(({ refresh_id }) => refresh_id),
      byteaArray(refreshes.map(({ refresh_hash }) => refresh_hash)),
      lifetime_seconds,
    ],
  });
  const issued = new Map(rows.map(({ n, account_id, scopes }) => [Number(n), { account_id, scopes }]));
  return refreshes.map((_, index) => issued.get(index + 1));
}
