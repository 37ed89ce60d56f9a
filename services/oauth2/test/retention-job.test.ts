import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres';
import { openPool } from '@gatehouse/kit/db/pool';
import { silentLogger } from '@gatehouse/kit/log';
import { expect, test } from 'vitest';
import { start } from '../src/start.ts';
import { EXPIRED } from '../src/store/expired-rows.ts';

test('expired access tokens and reservations are deleted, live ones stay', async () => {
  const database = await testDatabase(
    fileURLToPath(new URL('../migrations', import.meta.url)),
    'oauth2_janitor',
  );
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
  const running = await start(
    {
      listen: '127.0.0.1:0',
      database_url: database.database_url,
      database_pool_size: 3,
      worker_id: 1,
      log_level: 'silent',
      auth_address: '127.0.0.1:1',
      chat_address: '127.0.0.1:1',
      web_app_url: 'https://app.test',
      issuer: 'https://api.test',
      rpc_transport: 'stream',
      rpc_tls: undefined,
    },
    { log: silentLogger, background_every_ms: 20 },
  );
  try {
    await db.query(
      `INSERT INTO applications (id, owner_id, name, client_secret_hash) VALUES (1, 2, 'A', sha256('secret'))`,
    );
    await db.query(
      `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
       VALUES (10, sha256('old'), 1, 2, '{identify}', now() - interval '1 s'),
              (11, sha256('new'), 1, 2, '{identify}', now() + interval '1 min')`,
    );
    await db.query(
      `INSERT INTO application_reservations (id, owner_id, expires_at)
       VALUES (20, 2, now() - interval '1 s'), (21, 2, now() + interval '1 min')`,
    );
    const left = async () => {
      const { rows } = await db.query<{ id: string }>(
        'SELECT id FROM access_tokens UNION ALL SELECT id FROM application_reservations ORDER BY id',
      );
      return rows.map(({ id }) => id);
    };
    await expect.poll(left).toEqual(['11', '21']);

    const { rows } = await db.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'expires_at' ORDER BY 1`,
    );
    expect(EXPIRED.map(({ table }) => table).toSorted()).toEqual(rows.map(({ name }) => name));
  } finally {
    await running.close();
    await db.end();
    await database.drop();
  }
});
