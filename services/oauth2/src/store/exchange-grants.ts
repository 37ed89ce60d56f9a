import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { byteaArray } from './bytea-array.ts';
import type { OauthClient } from './clients.ts';
import { rememberConsumed } from './consumed-grants.ts';
import { authorizationLockKey, lockApplications } from './grant-lock.ts';
import { isWithinLifetime } from './lifetime.ts';
import { IS_REFUSED_CLIENT, isSuspended } from './refusals.ts';
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
  /** SHA-256 of the presented client secret, in hex; null for a request without one, as of a public client. */
  readonly client_secret_hash: string | null;
}

/** User and scopes of a new pair. */
export interface IssuedPair {
  readonly account_id: string;
  readonly scopes: readonly string[];
}

/** The results of a refresh. */
export interface ClientAndPair {
  readonly client: OauthClient | undefined;
  /** Undefined if the secret is wrong, the client has no such live token, it is refused, or another exchange was first. */
  readonly issued: IssuedPair | undefined;
}

/** Called once new tokens are stored, with the users and applications that may have too many. */
export type OnIssued = (authorizations: readonly AuthorizationKey[]) => void;

/** What all exchanges of a process have in common. */
export interface ExchangeOptions {
  readonly access_token_seconds: number;
  readonly hardening: Hardening;
  readonly onIssued: OnIssued;
}

/**
 * Exchanges codes, after the checks of client, redirect URI and PKCE. Returns results in the same order: undefined if the
 * application has no such live code, or another exchange was first. The statement compares the client secret again,
 * because the application may have changed since the checks.
 */
export async function exchangeCodes(
  db: Pool,
  exchanges: readonly Exchange[],
  options: ExchangeOptions,
): Promise<(IssuedPair | undefined)[]> {
  const { rows } = await db.query<IssuedPair & { n: string; application_id: string }>({
    name: 'exchange_codes',
    text: codesText(options.hardening),
    values: valuesOf(exchanges, options),
  });
  options.onIssued(rows);
  const issued = new Map(rows.map(({ n, account_id, scopes }) => [Number(n), { account_id, scopes }]));
  return exchanges.map((_, index) => issued.get(index + 1));
}

type RefreshRow = AuthorizationKey & {
  readonly client_id: string | null;
  readonly client_secret_hash: string | null;
  readonly second_secret_hash: string | null;
} & ((IssuedPair & { readonly has_many: boolean }) | { readonly scopes: null });

/** Authenticates clients and exchanges their refresh tokens. Returns results in the same order. */
export async function exchangeRefreshTokens(
  db: Pool,
  refreshes: readonly Exchange[],
  options: ExchangeOptions,
): Promise<ClientAndPair[]> {
  const { rows } = await db.query<RefreshRow>({
    name: 'exchange_refresh_tokens',
    text: refreshTokensText(options.hardening),
    values: valuesOf(refreshes, options),
  });
  options.onIssued(mayHaveSurplus(rows));
  return rows.map(({ client_id: id, client_secret_hash, second_secret_hash, ...row }) => ({
    client: id === null ? undefined : { id, client_secret_hash, second_secret_hash },
    issued: row.scopes === null ? undefined : { account_id: row.account_id, scopes: row.scopes },
  }));
}

/**
 * The authorizations of new pairs that may have more access tokens than the limit: those that had many before, and those
 * of several pairs in one statement. A refresh replaces its refresh token, so it adds none.
 */
function mayHaveSurplus(rows: readonly RefreshRow[]): AuthorizationKey[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (row.scopes === null) return false;
    const key = `${row.account_id} ${row.application_id}`;
    const isSecond = seen.has(key);
    seen.add(key);
    return row.has_many || isSecond;
  });
}

function valuesOf(exchanges: readonly Exchange[], { access_token_seconds }: ExchangeOptions): unknown[] {
  return [
    byteaArray(exchanges.map(({ spent_hash }) => spent_hash)),
    exchanges.map(({ application_id }) => application_id),
    exchanges.map(({ access_id }) => access_id),
    byteaArray(exchanges.map(({ access_hash }) => access_hash)),
    exchanges.map(({ refresh_id }) => refresh_id),
    byteaArray(exchanges.map(({ refresh_hash }) => refresh_hash)),
    access_token_seconds,
    byteaArray(exchanges.map(({ client_secret_hash }) => client_secret_hash)),
  ];
}

/**
 * SQL. Authenticates the client, consumes and issues in one statement. A code without an S256 challenge, issued before
 * its application became a public client, cannot be exchanged.
 */
function codesText({ code_lifetime_seconds, revoke_on_replay }: Hardening): string {
  return `
    WITH ${GIVEN},
    found AS MATERIALIZED (
      SELECT given.*, spent.account_id FROM given JOIN authorization_codes AS spent
        ON code_hash = spent_hash AND spent.application_id = given.application_id
        AND ${isWithinLifetime(code_lifetime_seconds, 'seconds')}
       WHERE ${IS_CLIENT} AND NOT ${isSuspended('spent.account_id')}
         AND (secret_hash IS NOT NULL OR code_challenge_method = 'S256')),
    ${lockFound('authorization_codes', 'code_hash')},
    consumed AS (
      DELETE FROM authorization_codes AS spent USING locked_rows, found
      WHERE spent.code_hash = locked_hash AND spent_hash = locked_hash
      RETURNING found.*, spent.scopes),
    access AS (${INSERT_ACCESS_TOKENS}),
    refresh AS (
      INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
      SELECT refresh_id, refresh_hash, application_id, account_id, scopes FROM consumed)${rememberConsumed(revoke_on_replay)}
    SELECT n, account_id, application_id, scopes FROM consumed`;
}

/**
 * SQL. Authenticates the client, consumes and issues in one statement. The row of the consumed token becomes that of its
 * successor. An authorization with fewer than HAS_MANY tokens exceeds the limit only if more than HAS_MANY statements
 * commit at once.
 */
function refreshTokensText({ refresh_token_lifetime_days, revoke_on_replay }: Hardening): string {
  return `
    WITH ${GIVEN},
    found AS MATERIALIZED (
      SELECT given.*, spent.account_id FROM given JOIN refresh_tokens AS spent
        ON token_hash = spent_hash AND spent.application_id = given.application_id
        AND ${isWithinLifetime(refresh_token_lifetime_days, 'days')}
       WHERE ${IS_CLIENT} AND NOT ${isSuspended('spent.account_id')}),
    ${lockFound('refresh_tokens', 'token_hash')},
    consumed AS (
      UPDATE refresh_tokens AS spent SET id = refresh_id, token_hash = refresh_hash, created_at = now()
        FROM locked_rows, found
       WHERE spent.token_hash = locked_hash AND spent_hash = locked_hash
      RETURNING found.*, spent.scopes),
    access AS (${INSERT_ACCESS_TOKENS})${rememberConsumed(revoke_on_replay)}
    SELECT given.client_id, given.application_id, encode(given.client_secret_hash, 'hex') AS client_secret_hash,
           encode(given.second_secret_hash, 'hex') AS second_secret_hash, account_id, scopes,
           EXISTS (SELECT FROM access_tokens AS token
                    WHERE token.account_id = consumed.account_id
                      AND token.application_id = consumed.application_id OFFSET ${HAS_MANY - 1}) AS has_many
      FROM given LEFT JOIN consumed USING (n) ORDER BY n`;
}

/** SQL: the exchanges, each with its client. `client_id` is null without an application of that ID, and if it is refused. */
const GIVEN = `given AS MATERIALIZED (
      SELECT given.*, applications.id AS client_id, applications.client_secret_hash,
             applications.second_secret_hash
        FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bytea[], $8::bytea[])
        WITH ORDINALITY
        AS given(spent_hash, application_id, access_id, access_hash, refresh_id, refresh_hash, secret_hash, n)
        LEFT JOIN applications ON applications.id = application_id AND NOT ${IS_REFUSED_CLIENT})`;

/**
 * SQL: whether there is a client, and the request has one of its secrets or neither of them has one. A plain comparison is
 * enough: the time that it takes reveals nothing about the digest of a random secret.
 */
const IS_CLIENT = `client_id IS NOT NULL
         AND (client_secret_hash IS NOT DISTINCT FROM secret_hash OR second_secret_hash = secret_hash)`;

/** Half of the limit of access tokens. */
const HAS_MANY = 50;

/**
 * SQL: locks the rows of `found`. The lock of the authorization serializes an exchange with revocations: it waits for a
 * revocation and then finds nothing to consume, or the revocation waits and deletes the issued tokens. `locked_rows` has
 * only rows that no other exchange has consumed meanwhile.
 */
function lockFound(table: string, hashColumn: string): string {
  return `locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock_shared(key) FROM (
        SELECT DISTINCT ${authorizationLockKey('account_id', 'application_id')} AS key FROM found ORDER BY key) AS keys),
    applications AS MATERIALIZED (${lockApplications('SELECT application_id FROM found', '(SELECT count(*) FROM locked) > 0')}),
    locked_rows AS MATERIALIZED (
      SELECT ${hashColumn} AS locked_hash FROM ${table}
      WHERE ${hashColumn} IN (SELECT spent_hash FROM found) AND application_id IN (SELECT id FROM applications)
      ORDER BY ${hashColumn} FOR UPDATE)`;
}

const INSERT_ACCESS_TOKENS = `
      INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
      SELECT access_id, access_hash, application_id, account_id, scopes,
        now() + $7::double precision * interval '1 second' FROM consumed`;
