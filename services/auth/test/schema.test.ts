import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres';
import { schemaDifferences } from '@gatehouse/dev-env/prisma-schema';
import { openPool } from '@gatehouse/kit/db/pool';
import { expect, test } from 'vitest';

test('schema.prisma matches the migrations', async () => {
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
  const schema = await readFile(new URL('../schema.prisma', import.meta.url), 'utf8');
  const database = await testDatabase(migrations, 'auth_schema');
  const db = openPool({ database_url: database.database_url, application_name: 'test' });
  try {
    expect(await schemaDifferences(db, schema)).toEqual([]);
  } finally {
    await db.end();
    await database.drop();
  }
});
