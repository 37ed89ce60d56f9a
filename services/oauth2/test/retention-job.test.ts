import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { openPool } from '@gatehouse/kit/db/pool';
import { silentLogger } from '@gatehouse/kit/log';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { start } from '../src/start.ts';
import { expiredRows } from '../src/store/expired-rows.ts';
import { hardeningOf } from './replicas.ts';

/** Runs with a service whose retention job is always busy. */
async function withRetentionJob(
  name: string,
  hardening: ReturnType<typeof hardeningOf>,
  insert: (db: pg.Pool) => Promise<unknown>,
  run: (db: pg.Pool) => Promise<void>,
): Promise<void> {
  const database = await testDatabase(fileURLToPath(new URL('../migrations', import.meta.url)), name);
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  await db.query(
    `INSERT INTO applications (id, owner_id, name, client_secret_hash) VALUES (1, 2, 'A', sha256('secret'))`,
  );
  await insert(db);
  const running = await start(
    {
      ...readConfig({ DATABASE_URL: 'postgres://localhost', LOG_LEVEL: 'silent' }),
      listen: '127.0.0.1:0',
      database_url: database.database_url,
      database_pool_size: 3,
      auth_address: '127.0.0.1:1',
      chat_address: '127.0.0.1:1',
      web_app_url: 'https://app.test',
      issuer: 'https://api.test',
      hardening,
    },
    { log: silentLogger, background_every_ms: 20 },
  );
  try {
    await run(db);
  } finally {
    await running.close();
    await db.end();
    await database.drop();
  }
}

test('expired access tokens, reservations and consumed grants are deleted, live ones stay', async () => {
  const insert = (db: pg.Pool) =>
    db.query(
      `WITH tokens AS (
         INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
         VALUES (10, sha256('old'), 1, 2, '{identify}', now() - interval '1 s'),
                (11, sha256('new'), 1, 2, '{identify}', now() + interval '1 hour')),
       grants AS (
         INSERT INTO consumed_grants (grant_hash, application_id, account_id, expires_at)
         VALUES (sha256('old'), 1, 30, now() - interval '1 s'), (sha256('new'), 1, 31, now() + interval '1 hour'))
       INSERT INTO application_reservations (id, owner_id, expires_at)
       VALUES (20, 2, now() - interval '1 s'), (21, 2, now() + interval '1 hour')`,
    );
  await withRetentionJob('oauth2_janitor', hardeningOf(), insert, async (db) => {
    const left = async () => {
      const { rows } = await db.query<{ id: string }>(
        `SELECT id FROM access_tokens UNION ALL SELECT id FROM application_reservations
          UNION ALL SELECT account_id FROM consumed_grants ORDER BY id`,
      );
      return rows.map(({ id }) => id);
    };
    await expect.poll(left).toEqual(['11', '21', '31']);

    const { rows } = await db.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'expires_at' ORDER BY 1`,
    );
    const expiring = expiredRows(hardeningOf()).filter(({ where }) => where.startsWith('expires_at'));
    expect(expiring.map(({ table }) => table).toSorted()).toEqual(rows.map(({ name }) => name));
  });
});

test('usage is deleted after a week, and the IDs of its reports after an hour', async () => {
  const insert = (db: pg.Pool) =>
    db.query(
      `WITH hours AS (
         INSERT INTO application_usage (application_id, hour, bucket, requests, limited)
         VALUES (1, now() - interval '8 days', 'old', 1, 0), (1, now() - interval '6 days', 'new', 1, 0)),
       errors AS (
         INSERT INTO application_errors (application_id, occurred_at, method, route, status, code, request_id)
         SELECT 1, now() - age, 'GET', '/', 404, 'NOT_FOUND', name
           FROM (VALUES (interval '8 days', 'old'), (interval '6 days', 'new')) AS errors (age, name))
       INSERT INTO usage_reports (id, received_at)
       VALUES (gen_random_uuid(), now() - interval '61 min'), (gen_random_uuid(), now())`,
    );
  await withRetentionJob('oauth2_janitor_usage', hardeningOf(), insert, async (db) => {
    const left = async () => {
      const { rows } = await db.query<{ what: string }>(
        `SELECT bucket AS what FROM application_usage UNION ALL SELECT request_id FROM application_errors
          UNION ALL SELECT 'report' FROM usage_reports`,
      );
      return rows.map(({ what }) => what);
    };
    await expect.poll(left).toEqual(['new', 'new', 'report']);
  });
});

/** Codes and refresh tokens of these ages, which identify them. */
async function insertAged(db: pg.Pool, seconds: readonly number[]): Promise<void> {
  await db.query(
    `INSERT INTO authorization_codes (code_hash, application_id, account_id, scopes, redirect_uri, created_at)
     SELECT sha256(convert_to(age::text, 'UTF8')), 1, 2, '{identify}', 'code ' || age,
            now() - age * interval '1 s' FROM unnest($1::bigint[]) AS age`,
    [seconds],
  );
  await db.query(
    `INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes, created_at)
     SELECT age, sha256(convert_to(age::text, 'UTF8')), 1, 2, '{identify}',
            now() - age * interval '1 s' FROM unnest($1::bigint[]) AS age`,
    [seconds],
  );
}

const DAY = 86_400;
const AGES = [5, 50, 700, 2 * DAY, 9 * DAY, 11 * DAY, 4000 * DAY];

async function agesLeft(db: pg.Pool): Promise<{ codes: string[]; refresh: string[] }> {
  const codes = await db.query<{ redirect_uri: string }>(
    'SELECT redirect_uri FROM authorization_codes ORDER BY created_at DESC',
  );
  const refresh = await db.query<{ id: string }>('SELECT id FROM refresh_tokens ORDER BY created_at DESC');
  return {
    codes: codes.rows.map(({ redirect_uri }) => redirect_uri.slice('code '.length)),
    refresh: refresh.rows.map(({ id }) => id),
  };
}

test('codes and refresh tokens past their lifetime are deleted', async () => {
  const hardening = hardeningOf({
    OAUTH2_CODE_LIFETIME_SECONDS: '600',
    OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS: '10',
  });
  const insert = (db: pg.Pool) => insertAged(db, AGES);
  await withRetentionJob('oauth2_janitor_lifetimes', hardening, insert, async (db) => {
    const refresh = [5, 50, 700, 2 * DAY, 9 * DAY].map(String);
    await expect.poll(() => agesLeft(db)).toEqual({ codes: ['5', '50'], refresh });
  });
});

test('without a lifetime no code and no refresh token is too old', async () => {
  const insert = async (db: pg.Pool) => {
    await insertAged(db, AGES);
    await db.query(
      `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
       VALUES (1, sha256(''), 1, 2, '{}', now())`,
    );
  };
  await withRetentionJob('oauth2_janitor_forever', hardeningOf(), insert, async (db) => {
    // Once a row that was inserted after the deletion of another is deleted too, a whole round has passed.
    const expired = async () => (await db.query('SELECT FROM access_tokens')).rowCount;
    await expect.poll(expired).toBe(0);
    await db.query(
      `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
       VALUES (2, sha256(''), 1, 2, '{}', now())`,
    );
    await expect.poll(expired).toBe(0);
    const all = AGES.map(String);
    expect(await agesLeft(db)).toEqual({ codes: all, refresh: all });
  });
});
