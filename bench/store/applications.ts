import { fileURLToPath } from 'node:url';
import { createDatabase } from '@gatehouse/kit/db/create-database';
import { migrate } from '@gatehouse/kit/db/migrate';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('../../services/oauth2/migrations', import.meta.url));

/** IDs are 1 to this. */
export const ROWS = 1000;
/** The owner of the page that is read. */
export const OWNER_ID = 7;
export const ROWS_OF_OWNER = 50;

/** Creates oauth2's database, with applications. */
export async function populateApplications(database_url: string): Promise<void> {
  await createDatabase(database_url);
  await migrate({ database_url, dir: MIGRATIONS });
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  await client.query(
    `INSERT INTO applications (id, owner_id, name, redirect_uris, client_secret_hash)
     SELECT n, CASE WHEN n <= $1 THEN $2 ELSE 1000 + n END, 'application ' || n,
            ARRAY['https://example.com/callback'], sha256(n::text::bytea)
       FROM generate_series(1, $3::int) AS n`,
    [ROWS_OF_OWNER, OWNER_ID, ROWS],
  );
  await client.query('ANALYZE applications');
  await client.end();
}
