import { fileURLToPath } from 'node:url';
import { testDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { databaseFault, isUniqueViolation } from '@gatehouse/kit/db/errors';
import { openPool } from '@gatehouse/kit/db/pool';
import { SQLSTATES } from '@gatehouse/kit/db/sqlstate';
import { expect, test } from 'vitest';
import { openPrisma } from '../src/store/prisma.ts';

test('the violation of a unique constraint has the name of the constraint, through Prisma like through SQL', async () => {
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
  const database = await testDatabase(migrations, 'oauth2_records');
  const db = openPool({ database_url: database.database_url, application_name: 'test' });
  const prisma = openPrisma(db);
  try {
    const data = { application_id: 1n, owner_id: 2n, next_attempt_at: new Date() };
    const insert = () => prisma.orphanedBot.create({ data });
    await insert();
    const sql = 'INSERT INTO unmade_bots (application_id, owner_id, next_attempt_at) VALUES (1, 2, now())';
    for (const again of [insert, () => db.query(sql)]) {
      const error = await again().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(isUniqueViolation(error)).toBe(true);
      expect(isUniqueViolation(error, 'unmade_bots_pkey')).toBe(true);
      expect(isUniqueViolation(error, 'applications_pkey')).toBe(false);
    }
  } finally {
    await prisma.$disconnect();
    await db.end();
    await database.drop();
  }
});

test('each SQLSTATE gives the same error through Prisma as through SQL', async () => {
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
  const database = await testDatabase(migrations, 'oauth2_sqlstates');
  const db = openPool({ database_url: database.database_url, application_name: 'test', max: 1 });
  const prisma = openPrisma(db);
  try {
    await db.query(`
      CREATE TABLE wanted (sqlstate text);
      INSERT INTO wanted VALUES ('');
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = (SELECT sqlstate FROM wanted); END $$;
      CREATE TRIGGER fail BEFORE INSERT ON unmade_bots EXECUTE FUNCTION fail();`);
    const data = { application_id: 1n, owner_id: 2n, next_attempt_at: new Date() };
    const sql = 'INSERT INTO unmade_bots (application_id, owner_id, next_attempt_at) VALUES (1, 2, now())';
    const reason = (insert: Promise<unknown>) =>
      insert.catch((error: unknown) => databaseFault(error)?.reason ?? 'no fault');
    const codes = Object.keys(SQLSTATES).map((key) => key.padEnd(5, '0'));
    for (const code of [...codes, '28P01', '57P03', '53300', '40001', '40P01', '42P01']) {
      if (code === '00000') continue;
      await db.query('UPDATE wanted SET sqlstate = $1', [code]);
      expect([code, await reason(prisma.orphanedBot.create({ data }))]).toEqual([
        code,
        await reason(db.query(sql)),
      ]);
    }
  } finally {
    await prisma.$disconnect();
    await db.end();
    await database.drop();
  }
});

test('a refused login, a missing database, and an unavailable server are 503 through Prisma', async () => {
  const server = new URL(await testDatabaseUrl('nothing'));
  const nobody = new URL(server);
  nobody.username = 'nobody_of_that_name';
  nobody.pathname = '/postgres';
  const away = new URL(server);
  away.port = '1';
  for (const { href: database_url } of [server, nobody, away]) {
    const db = openPool({ database_url, application_name: 'test' });
    const prisma = openPrisma(db);
    for (const failing of [() => prisma.orphanedBot.findMany(), () => db.query('SELECT 1')])
      expect(databaseFault(await failing().catch((error: unknown) => error))?.reason).toBe(
        'SERVICE_UNAVAILABLE',
      );
    await prisma.$disconnect();
    await db.end();
  }
});
