import { runStatements } from '@gatehouse/dev-env/postgres/run-statements';
import { databaseUrl } from '@gatehouse/kit/db/pool';

/**
 * Each account has a session, a membership in a guild of a hundred, a private guild with a channel and a webhook, and
 * an access token.
 */
export const ACCOUNTS = 2_000;
export const PASSWORD = 'correct horse battery';
const ID = 8_000_000_000_000;
const APPLICATION = ID + 900_000;
const SECRET = 'a'.repeat(43);
/** The accounts are spread over these guilds. */
const SHARED_GUILDS = 20;
const SHARED = ID + 800_000;
/** VIEW_CHANNEL, SEND_MESSAGES, READ_MESSAGE_HISTORY. */
const MEMBERS_MAY = 1_024 + 2_048 + 65_536;
const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

export const idOf = (n: number): string => String(ID + n);
/** A channel in which other accounts post too. */
export const sharedChannelOf = (n: number): string => String(SHARED + (n % SHARED_GUILDS));
export const sessionOf = (n: number): string => `gth_${String(n).padStart(36, 'a')}`;
export const emailOf = (n: number): string => `drill${n}@example.com`;
export const webhookPath = (n: number): string => `/webhooks/${ID + n}/${String(n).padStart(64, 'a')}`;
export const accessTokenOf = (n: number): string => String(n).padStart(43, 'a');
export const CLIENT = { client_id: String(APPLICATION), client_secret: SECRET };

const NUMBERS = `generate_series(0, ${ACCOUNTS - 1}) n`;
const SHARED_NUMBERS = `generate_series(0, ${SHARED_GUILDS - 1}) n`;

/** Fills the databases of a running fleet. @returns the path of a picture */
export async function populate(server_url: string, url: string): Promise<string> {
  const { token, user } = await send(url, 'POST', '/auth/register', {
    email: 'first@example.com',
    username: 'first',
    password: PASSWORD,
  });
  const { avatar } = await send(url, 'PATCH', '/users/@me', { avatar: PIXEL }, `Bearer ${token}`);
  await runStatements(databaseUrl(server_url, 'auth'), [
    `INSERT INTO accounts (id, username, username_key, email, email_key, password_hash)
     SELECT ${ID} + n, 'drill' || n, 'drill' || n, 'drill' || n || '@example.com', 'drill' || n || '@example.com',
            (SELECT password_hash FROM accounts WHERE username_key = 'first') FROM ${NUMBERS}`,
    `INSERT INTO sessions (id, account_id, token_hash)
     SELECT ${ID} + n, ${ID} + n, sha256(('gth_' || lpad(n::text, 36, 'a'))::bytea) FROM ${NUMBERS}`,
    'VACUUM ANALYZE',
  ]);
  await runStatements(databaseUrl(server_url, 'chat'), [
    `INSERT INTO guilds (id, name, owner_id, member_count) SELECT ${ID} + n, 'Guild', ${ID} + n, 1 FROM ${NUMBERS}`,
    `INSERT INTO roles (id, guild_id, name, permissions)
     SELECT id, id, '@everyone', 0 FROM guilds`,
    `INSERT INTO guilds (id, name, owner_id, member_count)
     SELECT ${SHARED} + n, 'Shared', ${ID} + n, ${ACCOUNTS / SHARED_GUILDS} FROM ${SHARED_NUMBERS}`,
    `INSERT INTO roles (id, guild_id, name, permissions)
     SELECT ${SHARED} + n, ${SHARED} + n, '@everyone', ${MEMBERS_MAY} FROM ${SHARED_NUMBERS}`,
    `INSERT INTO channels (id, guild_id, type, name)
     SELECT ${SHARED} + n, ${SHARED} + n, 0, 'shared' FROM ${SHARED_NUMBERS}`,
    `INSERT INTO members (guild_id, account_id) SELECT ${ID} + n, ${ID} + n FROM ${NUMBERS}`,
    `INSERT INTO members (guild_id, account_id) SELECT ${SHARED} + n % ${SHARED_GUILDS}, ${ID} + n FROM ${NUMBERS}`,
    `INSERT INTO channels (id, guild_id, type, name) SELECT ${ID} + n, ${ID} + n, 0, 'drill' FROM ${NUMBERS}`,
    'VACUUM ANALYZE',
  ]);
  await runStatements(databaseUrl(server_url, 'webhook-delivery'), [
    `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
     SELECT ${ID} + n, ${ID} + n, ${ID} + n, 'Drill', lpad(n::text, 64, 'a'), ${ID} + n FROM ${NUMBERS}`,
    'VACUUM ANALYZE',
  ]);
  await runStatements(databaseUrl(server_url, 'oauth2'), [
    `INSERT INTO applications (id, owner_id, name, redirect_uris, client_secret_hash)
     VALUES (${APPLICATION}, ${ID}, 'Drill', '{https://example.com/callback}', sha256('${SECRET}'))`,
    `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
     SELECT ${ID} + n, sha256(lpad(n::text, 43, 'a')::bytea), ${APPLICATION}, ${ID} + n, '{identify}',
            now() + interval '7 days' FROM ${NUMBERS}`,
    'VACUUM ANALYZE',
  ]);
  return `/media/avatars/${user?.id}/${avatar}`;
}

interface Answer {
  readonly token?: string;
  readonly user?: { readonly id: string };
  readonly avatar?: string;
}

async function send(
  url: string,
  method: string,
  path: string,
  body: unknown,
  authorization = '',
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
