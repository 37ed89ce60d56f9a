import { createHash } from 'node:crypto';
import { runStatements } from '@gatehouse/dev-env/postgres/run-statements';
import { databaseUrl } from '@gatehouse/kit/db/pool';

export interface Seed {
  /** Session tokens, each of another account. */
  readonly sessions: readonly string[];
  /** Webhooks, as the paths of their token routes below /api/v1. */
  readonly webhooks: readonly string[];
}

const ACCOUNTS = 4_000;
const WEBHOOKS = 6_000;
const CHANNELS = 600;
const FIRST_ID = 1_000_000_000_000;

/** Fills the databases of a running stack with so many accounts and webhooks that none reaches a limit. */
export async function seed(serverUrl: string): Promise<Seed> {
  const sessions = Array.from({ length: ACCOUNTS }, (_, index) => `gth_${String(index).padStart(36, 'a')}`);
  const tokens = Array.from({ length: WEBHOOKS }, (_, index) => String(index).padStart(64, 'a'));
  await runStatements(databaseUrl(serverUrl, 'auth'), [
    [
      `INSERT INTO accounts (id, username, username_key) SELECT $1::bigint + n, 'bench' || n, 'bench' || n FROM generate_series(0, $2::int - 1) n`,
      [FIRST_ID, ACCOUNTS],
    ],
    [
      `INSERT INTO sessions (id, account_id, token_hash)
       SELECT $1::bigint + n - 1, $1::bigint + n - 1, hash FROM unnest($2::bytea[]) WITH ORDINALITY AS t (hash, n)`,
      [FIRST_ID, sessions.map((token) => createHash('sha256').update(token).digest())],
    ],
  ]);
  await runStatements(databaseUrl(serverUrl, 'chat'), [
    [`INSERT INTO guilds (id, name, owner_id) VALUES ($1::bigint, 'bench', $1::bigint)`, [FIRST_ID]],
    [
      `INSERT INTO channels (id, guild_id, type, name) SELECT $1::bigint + n, $1::bigint, 0, 'bench' FROM generate_series(0, $2::int - 1) n`,
      [FIRST_ID, CHANNELS],
    ],
  ]);
  await runStatements(databaseUrl(serverUrl, 'webhook-delivery'), [
    [
      `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
       SELECT $1::bigint + n - 1, $1::bigint, $1::bigint + n % $3::int, 'bench', token, $1::bigint FROM unnest($2::text[]) WITH ORDINALITY AS t (token, n)`,
      [FIRST_ID, tokens, CHANNELS],
    ],
  ]);
  return { sessions, webhooks: tokens.map((token, index) => `/webhooks/${FIRST_ID + index}/${token}`) };
}
