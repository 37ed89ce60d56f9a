import { readFile } from 'node:fs/promises';
import { testServer } from '@gatehouse/dev-env/postgres/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maintenanceUrl } from '../../src/db/create-database.ts';
import { databaseFault } from '../../src/db/errors.ts';
import { openPool } from '../../src/db/pool.ts';
import { SQLSTATES } from '../../src/db/sqlstate.ts';

const REASONS = {
  unavailable: 'SERVICE_UNAVAILABLE',
  too_late: 'GATEWAY_TIMEOUT',
  bug: undefined,
} as const;
const IN_WORDS = { unavailable: '503', too_late: '504', bug: '500' } as const;

let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  pool = openPool({
    database_url: maintenanceUrl(await testServer()),
    application_name: 'sqlstate-test',
    max: 1,
  });
});
afterAll(() => pool.end());

/** The fault for an error with this SQLSTATE. */
async function reasonOf(code: string): Promise<string | undefined> {
  const raise = `DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${code}'; END $$`;
  const error: unknown = await pool.query(raise).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code });
  return databaseFault(error)?.reason;
}

test('every class of SQLSTATE maps as the table says', async () => {
  for (const [key, failure] of Object.entries(SQLSTATES)) {
    const code = key.padEnd(5, '0');
    if (code !== '00000')
      expect([code, await reasonOf(code)]).toEqual([code, REASONS[SQLSTATES[code] ?? failure]]);
  }
  for (const [code, failure] of Object.entries({
    '28P01': '503',
    '3D000': '503',
    '57P03': '503',
    '40P01': '503',
  }))
    expect([code, await reasonOf(code)]).toEqual([code, failure && 'SERVICE_UNAVAILABLE']);
  expect(await reasonOf('ZZ999')).toBeUndefined();
});

test('docs/database.md has the same table', async () => {
  const page = await readFile(new URL('../../../docs/database.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([0-9A-Z]{2}|[0-9A-Z]{5})` +\| ([0-9]{3}) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, key, status]) => [key, status]))).toEqual(
    Object.fromEntries(Object.entries(SQLSTATES).map(([key, failure]) => [key, IN_WORDS[failure]])),
  );
});
