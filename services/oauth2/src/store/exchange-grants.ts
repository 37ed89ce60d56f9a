import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { byteaArray } from './bytea-array.ts';
import { rememberConsumed } from './consumed-grants.ts';
import { authorizationLockKey, lockApplications } from './grant-lock.ts';
import { isWithinLifetime } from './lifetime.ts';
import type { AuthorizationKey } from './surplus-tokens.ts';

/** The stored parts of a new pair. Hashes are SHA-256, in hex. */
export interface StoredPair {
  readonly access_id: string;
  readonly access_hash: string;
  readonly refresh_id: string;
  readonly refresh_hash: string;
}

/** A code or refresh token of an application to consume, and the pair that replaces it. */
export interface Exchange extends StoredPair {
  /** SHA-256, in hex. */
  readonly spent_hash: string;
  readonly application_id: string;
}

/** User and scopes of a new pair. */
export interface IssuedPair {
  readonly account_id: string;
  readonly scopes: readonly string[];
}

/** Called once new tokens are stored, with the users and applications that have them. */
export type OnIssued = (authorizations: readonly AuthorizationKey[]) => void;

/** What all exchanges of a process have in common. */
export interface ExchangeOptions {
  readonly access_token_seconds: number;
  readonly hardening: Hardening;
  readonly onIssued: OnIssued;
}

/** Exchanges codes, after the checks of their redirect URI and PKCE. */
export function exchangeCodes(
  db: Pool,
  exchanges: readonly Exchange[],
  options: ExchangeOptions,
): Promise<(IssuedPair | undefined)[]> {
  const { code_lifetime_seconds, revoke_on_replay } = options.hardening;
  const isLive = isWithinLifetime(code_lifetime_seconds, 'seconds');
  const text = exchangeText('authorization_codes', 'code_hash', isLive, revoke_on_replay);
  return exchange(db, { name: 'exchange_codes', text }, exchanges, options);
}

export function exchangeRefreshTokens(
  db: Pool,
  exchanges: readonly Exchange[],
  options: ExchangeOptions,
): Promise<(IssuedPair | undefined)[]> {
  const { refresh_token_lifetime_days, revoke_on_replay } = options.hardening;
  const isLive = isWithinLifetime(refresh_token_lifetime_days, 'days');
  const text = exchangeText('refresh_tokens', 'token_hash', isLive, revoke_on_replay);
  return exchange(db, { name: 'exchange_refresh_tokens', text }, exchanges, options);
}

/**
 * Consumes and issues in one statement, and returns results in the same order: undefined if the application has no such
 * live code or token, or another exchange was first. The lock of the authorization serializes it with revocations: it
 * waits for a revocation and then finds nothing to consume, or the revocation waits and deletes the issued tokens.
 */
async function exchange(
  db: Pool,
  statement: { readonly name: string; readonly text: string },
  exchanges: readonly Exchange[],
  { access_token_seconds, onIssued }: ExchangeOptions,
): Promise<(IssuedPair | undefined)[]> {
  const { rows } = await db.query<IssuedPair & { n: string; application_id: string }>({
    ...statement,
    values: [
      byteaArray(exchanges.map(({ spent_hash }) => spent_hash)),
      exchanges.map(({ application_id }) => application_id),
      exchanges.map(({ access_id }) => access_id),
      byteaArray(exchanges.map(({ access_hash }) => access_hash)),
      exchanges.map(({ refresh_id }) => refresh_id),
      byteaArray(exchanges.map(({ refresh_hash }) => refresh_hash)),
      access_token_seconds,
    ],
  });
  onIssued(rows);
  const issued = new Map(rows.map(({ n, account_id, scopes }) => [Number(n), { account_id, scopes }]));
  return exchanges.map((_, index) => issued.get(index + 1));
}

/** SQL. `isLive` is a condition, true for rows within their lifetime. */
function exchangeText(table: string, hashColumn: string, isLive: string, isRemembered: boolean): string {
  return `
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bytea[])
        WITH ORDINALITY
        AS given(spent_hash, application_id, access_id, access_hash, refresh_id, refresh_hash, n)),
    found AS MATERIALIZED (
      SELECT given.*, spent.account_id FROM given JOIN ${table} AS spent
        ON spent.${hashColumn} = spent_hash AND spent.application_id = given.application_id AND ${isLive}),
    locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock_shared(key) FROM (
        SELECT DISTINCT ${authorizationLockKey('account_id', 'application_id')} AS key FROM found ORDER BY key) AS keys),
    applications AS MATERIALIZED (${lockApplications('SELECT application_id FROM found', '(SELECT count(*) FROM locked) > 0')}),
    locked_rows AS MATERIALIZED (
      SELECT ${hashColumn} AS locked_hash FROM ${table}
      WHERE ${hashColumn} IN (SELECT spent_hash FROM found) AND application_id IN (SELECT id FROM applications)
      ORDER BY ${hashColumn} FOR UPDATE),
    consumed AS (
      DELETE FROM ${table} AS spent USING locked_rows, found
      WHERE spent.${hashColumn} = locked_hash AND spent_hash = locked_hash
      RETURNING found.*, spent.scopes),
    access AS (
      INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
      SELECT access_id, access_hash, application_id, account_id, scopes,
        now() + $7::double precision * interval '1 second' FROM consumed),
    refresh AS (
      INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
      SELECT refresh_id, refresh_hash, application_id, account_id, scopes FROM consumed)${rememberConsumed(isRemembered)}
    SELECT n, account_id, application_id, scopes FROM consumed`;
}
