import { hash } from 'node:crypto';
import { runStatements } from '@gatehouse/dev-env/postgres/run-statements';
import { createDatabase } from '@gatehouse/kit/db/create-database';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { MODELS, TABLE } from './postgres-adapter.ts';

/** Each pair is an access token and a refresh token of another user: a million tokens. */
export const PAIRS = 500_000;
/** Fewer than oidc-provider caches in memory. */
const APPLICATIONS = 50;
const APPLICATION_ID = 5_000_000_000_000;
const ACCOUNT_ID = 6_000_000_000_000;
const TOKEN_ID = 7_000_000_000_000;
const SECRET = 'a'.repeat(43);

export interface Pair {
  readonly client_id: string;
  readonly client_secret: string;
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The nth pair and its client; the same in both databases. */
export function nthPair(n: number): Pair {
  return {
    client_id: String(APPLICATION_ID + (n % APPLICATIONS)),
    client_secret: SECRET,
    access_token: hash('sha256', `access ${n}`, 'base64url'),
    refresh_token: hash('sha256', `refresh ${n}`, 'base64url'),
  };
}

const CLIENTS = `generate_series(0, ${APPLICATIONS - 1}) AS n`;
const OF_PAIR = `generate_series(0, ${PAIRS - 1}) AS n`;
const application = `${APPLICATION_ID} + n % ${APPLICATIONS}`;
const account = `${ACCOUNT_ID} + n`;

/** SQL: the nth token of a kind. */
function token(kind: 'access' | 'refresh'): string {
  return `rtrim(translate(encode(sha256(('${kind} ' || n)::bytea), 'base64'), '+/', '-_'), '=')`;
}

/** Fills the database of oauth2 of a running stack. */
export async function populateOauth2(server_url: string): Promise<void> {
  await runStatements(databaseUrl(server_url, 'oauth2'), [
    `INSERT INTO applications (id, owner_id, name, redirect_uris, client_secret_hash)
     SELECT ${application}, 1, 'bench', '{https://example.com/callback}', sha256('${SECRET}') FROM ${CLIENTS}`,
    `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
     SELECT ${TOKEN_ID} + n, sha256(${token('access')}::bytea), ${application}, ${account}, '{guilds,identify}',
            now() + interval '7 days' FROM ${OF_PAIR}`,
    `INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
     SELECT ${TOKEN_ID} + n, sha256(${token('refresh')}::bytea), ${application}, ${account}, '{guilds,identify}'
       FROM ${OF_PAIR}`,
    'VACUUM ANALYZE',
  ]);
}

/** Creates a database for oidc-provider on the same server, with the same tokens. Returns its URL. */
export async function populateOidcProvider(server_url: string): Promise<string> {
  const database_url = databaseUrl(server_url, 'oidc-provider');
  await createDatabase(database_url);
  const common = `'accountId', (${account})::text, 'clientId', (${application})::text, 'iat', iat, 'exp', exp`;
  const tokens = (model: string, kind: 'access' | 'refresh', members: string): string =>
    insertion(
      model,
      token(kind),
      `${common}, 'grantId', 'grant ' || n, 'gty', 'authorization_code', 'scope', 'identify guilds', ${members}`,
      `'grant ' || n`,
    );
  await runStatements(database_url, [
    TABLE,
    `INSERT INTO oidc_payloads (id, type, payload)
     SELECT (${application})::text, ${MODELS.Client}, jsonb_build_object('client_id', (${application})::text,
            'client_secret', '${SECRET}', 'redirect_uris', jsonb_build_array('https://example.com/callback'),
            'grant_types', jsonb_build_array('authorization_code', 'refresh_token'),
            'token_endpoint_auth_method', 'client_secret_post') FROM ${CLIENTS}`,
    insertion(
      'Grant',
      `'grant ' || n`,
      `${common}, 'jti', 'grant ' || n, 'kind', 'Grant',
       'openid', jsonb_build_object('scope', 'identify guilds')`,
      'NULL',
    ),
    tokens('AccessToken', 'access', `'kind', 'AccessToken', 'jti', ${token('access')}, 'extra', NULL`),
    tokens('RefreshToken', 'refresh', `'kind', 'RefreshToken', 'jti', ${token('refresh')}, 'iiat', iat`),
    'VACUUM ANALYZE',
  ]);
  return database_url;
}

/** SQL. */
function insertion(model: string, id: string, members: string, grant_id: string): string {
  return `INSERT INTO oidc_payloads (id, type, payload, grant_id, expires_at)
          SELECT ${id}, ${MODELS[model]}, jsonb_strip_nulls(jsonb_build_object(${members})), ${grant_id},
                 to_timestamp(exp)
            FROM ${OF_PAIR}, LATERAL (SELECT extract(epoch FROM now())::bigint AS iat) AS issued,
                 LATERAL (SELECT iat + 604800 AS exp) AS expiring`;
}
