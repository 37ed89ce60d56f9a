import { schemaDifferences } from '@gatehouse/dev-env/postgres/prisma-schema';
import { expect, test } from 'vitest';

test('schema.prisma matches the migrations', async () => {
  expect(await schemaDifferences(new URL('../', import.meta.url))).toEqual([]);
});
