import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { byteaArray } from './bytea-array.ts';
import { rememberConsumed } from './consumed-grants.ts';
import type { Issued } from './exchange-refresh-tokens.ts';
import { grantLockKey, holdApplications } from './grant-lock.ts';
import { isYoung } from './lifetime.ts';

/** What an authorization code was issued for. */
export interface Code {
  readonly application_id: string;
  readonly redirect_uri: string;
  readonly code_challenge: string | null;
  readonly code_challenge_method: 'S256' | 'plain' | null;
}

/** The live codes with these hashes, in hex and in their order; undefined where there is none. */
export async function findCodes(
  db: Pool,
  code_hashes: readonly string[],
  { code_lifetime_seconds }: Pick<Hardening, 'code_lifetime_seconds'>,
): Promise<(Code | undefined)[]> {
  const { rows } = await db.query<Code & { code_hash: string }>({
    name: 'find_codes',
    text: `SELECT encode(code_hash, 'hex') AS code_hash, application_id, redirect_uri, code_challenge,
                  code_challenge_method
             FROM authorization_codes WHERE code_hash = ANY ($1::bytea[]) AND ${isYoung(code_lifetime_seconds, 'seconds')}`,
    values: [byteaArray(code_hashes)],
  });
  const byHash = new Map(rows.map(({ code_hash, ...code }) => [code_hash, code]));
  return code_hashes.map((code_hash) => byHash.get(code_hash));
}

/** A code to be consumed, and the pair that it becomes: hashes in hex. */
export interface CodeExchange {
  readonly code_hash: string;
  readonly access_id: string;
  readonly access_hash: string;
  readonly refresh_id: string;
  readonly refresh_hash: string;
}

/**
 * Consumes codes and issues their tokens, in one statement and in the given order; undefined where another exchange was
 * first. What a code was issued for does not change, so it is judged before.
 */
export async function exchangeCodes(
  db: Pool,
  exchanges: readonly CodeExchange[],
  lifetime_seconds: number,
  { revoke_on_replay }: Pick<Hardening, 'revoke_on_replay'>,
): Promise<(Issued | undefined)[]> {
  const { rows } = await db.query<Issued & { n: string }>({
    name: 'exchange_codes',
    text: `
      WITH given AS MATERIALIZED (
        SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bytea[])
          WITH ORDINALITY AS given(code_hash, access_id, access_hash, refresh_id, refresh_hash, n)),
      found AS MATERIALIZED (
        SELECT given.*, application_id, account_id FROM given JOIN authorization_codes USING (code_hash)),
      locked AS MATERIALIZED (
        SELECT pg_advisory_xact_lock_shared(key) FROM (
          SELECT DISTINCT ${grantLockKey('account_id', 'application_id')} AS key FROM found ORDER BY key) AS keys),
      applications AS MATERIALIZED (${holdApplications('SELECT application_id FROM found', '(SELECT count(*) FROM locked) > 0')}),
      held AS MATERIALIZED (
        SELECT code_hash FROM authorization_codes
        WHERE code_hash IN (SELECT code_hash FROM found) AND application_id IN (SELECT id FROM applications)
        ORDER BY code_hash FOR UPDATE),
      consumed AS (
        DELETE FROM authorization_codes AS codes USING held, found
        WHERE codes.code_hash = held.code_hash AND found.code_hash = held.code_hash
        RETURNING found.*, codes.scopes),
      access AS (
        INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
        SELECT access_id, access_hash, application_id, account_id, scopes,
          now() + $6::double precision * interval '1 second' FROM consumed),
      refresh AS (
        INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
        SELECT refresh_id, refresh_hash, application_id, account_id, scopes FROM consumed)${rememberConsumed('code_hash', revoke_on_replay)}
      SELECT n, account_id, scopes FROM consumed`,
    values: [
      byteaArray(exchanges.map(({ code_hash }) => code_hash)),
      exchanges.map(({ access_id }) => access_id),
      byteaArray(exchanges.map(({ access_hash }) => access_hash)),
      exchanges.map(({ refresh_id }) => refresh_id),
      byteaArray(exchanges.map(({ refresh_hash }) => refresh_hash)),
      lifetime_seconds,
    ],
  });
  const issued = new Map(rows.map(({ n, account_id, scopes }) => [Number(n), { account_id, scopes }]));
  return exchanges.map((_, index) => issued.get(index + 1));
}
