import { fileURLToPath } from 'node:url';
import { testDatabase } from '@gatehouse/dev-env/postgres';
import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { openPool } from '@gatehouse/kit/db/pool';
import { expect, test } from 'vitest';
import { openRecords } from '../src/store/records.ts';

test('what breaks a unique rule is known by its constraint, through Prisma as through SQL', async () => {
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
  const database = await testDatabase(migrations, 'oauth2_records');
  const db = openPool({ database_url: database.database_url, application_name: 'test' });
  const records = openRecords(db);
  try {
    const data = { application_id: 1n, owner_id: 2n, next_attempt_at: new Date() };
    const insert = () => records.unmadeBot.create({ data });
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
    await records.$disconnect();
    await db.end();
    await database.drop();
  }
});
