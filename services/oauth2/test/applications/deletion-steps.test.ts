import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME } from '../requests.ts';
import { type ClientAndPerson, exchange, formOf, newClient, newCode } from '../tokens.ts';

const MANY = 12_000;
const TABLES = ['authorization_codes', 'refresh_tokens', 'access_tokens'] as const;

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_deletion_steps');
  // Records how many rows each statement deletes.
  await fixture.db.query(`
    CREATE TABLE deletions (of_table text, rows int);
    CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO deletions SELECT TG_TABLE_NAME, count(*) FROM gone;
      RETURN NULL;
    END $$`);
  for (const table of TABLES)
    await fixture.db.query(`
      CREATE TRIGGER note_deletion AFTER DELETE ON ${table}
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deletion()`);
});
afterAll(() => fixture.close());

beforeEach(async () => {
  client = await newClient(fixture);
  const { client_id, person } = client;
  for (const table of TABLES) {
    await fixture.db.query(`DELETE FROM ${table}`);
    // From now on, PostgreSQL's statistics say that the table is empty, until the next analysis.
    await fixture.db.query(`ANALYZE ${table}`);
  }
  await fixture.db.query('TRUNCATE deletions');
  await fixture.db.query(
    `WITH n AS (SELECT n, sha256(($1 || '.' || n)::bytea) AS hash FROM generate_series(1, $3::int) AS n),
     codes AS (
       INSERT INTO authorization_codes (code_hash, application_id, account_id, scopes, redirect_uri)
       SELECT hash, $1::bigint, $2, '{}', 'https://a.test' FROM n),
     refresh AS (
       INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
       SELECT $1::bigint + n, hash, $1::bigint, $2, '{}' FROM n)
     INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
     SELECT $1::bigint + n, hash, $1::bigint, $2, '{}', now() + interval '1 day' FROM n`,
    [client_id, person.account_id, MANY],
  );
});

/** Tables with remaining rows of the application, and the largest deletion of one statement. */
async function outcome() {
  const { rows } = await fixture.db.query<{ of_table: string; rows: number }>(
    'SELECT of_table, max(rows) AS rows FROM deletions GROUP BY of_table',
  );
  const left: Record<string, number | null> = {};
  for (const table of TABLES) {
    const found = await fixture.db.query(`SELECT FROM ${table} WHERE application_id = $1`, [
      client.client_id,
    ]);
    left[table] = found.rowCount;
  }
  return { left, most: Math.max(...rows.map((row) => row.rows)) };
}

const caller = () => ({ ...IN_TIME, caller: client.person });

describe('however many codes and tokens there are, no statement deletes more than 5,000', () => {
  it('when an application is deleted', async () => {
    const { client_id: application_id, owner } = client;
    await fixture.oauth2.deleteApplication({ application_id }, { ...IN_TIME, caller: owner });
    const left = { authorization_codes: 0, refresh_tokens: 0, access_tokens: 0 };
    expect(await outcome()).toEqual({ left, most: 5_000 });
  });

  it('when a token is revoked', async () => {
    const { client_id, client_secret } = client;
    const { access_token } = await exchange(fixture.oauth2, client, await newCode(fixture.oauth2, client));
    await fixture.oauth2.revokeToken(formOf({ client_id, client_secret, token: access_token }), IN_TIME);
    const left = { authorization_codes: 0, refresh_tokens: 0, access_tokens: 0 };
    expect(await outcome()).toEqual({ left, most: 5_000 });
  });

  it('when authorizations are revoked', async () => {
    await fixture.oauth2.revokeAuthorizations({ application_ids: [client.client_id] }, caller());
    const left = { authorization_codes: 0, refresh_tokens: 0, access_tokens: 0 };
    expect(await outcome()).toEqual({ left, most: 5_000 });
  });

  it('when an authorization is deleted', async () => {
    await fixture.oauth2.deleteAuthorization({ application_id: client.client_id }, caller());
    const left = { authorization_codes: MANY, refresh_tokens: MANY, access_tokens: 0 };
    expect(await outcome()).toEqual({ left, most: 5_000 });
  });
});
