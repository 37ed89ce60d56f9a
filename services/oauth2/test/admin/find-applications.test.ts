import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME } from '../requests.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_find_applications');
  await service.db.query(
    `INSERT INTO applications (id, owner_id, name, redirect_uris, client_secret_hash)
     SELECT id, owner_id, name, '{https://client.test}', sha256(id::text::bytea)
       FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS given(id, owner_id, name)`,
    [ROWS.map(([id]) => id), ROWS.map(([, owner_id]) => owner_id), ROWS.map(([, , name]) => name)],
  );
});
afterAll(() => service.close());

/** ID, owner and name. */
const ROWS = [
  ['101', '9001', 'Clock'],
  ['102', '9001', 'CLOCKWORK'],
  ['103', '9002', 'A clock'],
  ['104', '9002', '100% sure'],
  ['105', '9002', '100 apples'],
  ['106', '9003', "O'Clock"],
  ['107', '9003', 'snake_case'],
  ['108', '9003', 'snakeXcase'],
  ['109', '9003', 'back\\slash'],
  ['110', '9004', 'Éclair'],
  ['111', '9004', '101 dogs'],
] as const;

async function find(query: string, page: { before?: string; limit?: number } = {}): Promise<string[]> {
  const { applications } = await service.admin.findApplications({ query, ...page }, IN_TIME);
  return applications.map(({ id }) => id);
}

describe('applications are found', () => {
  const cases: readonly [query: string, ids: readonly string[]][] = [
    ['103', ['103']],
    ['9002', ['105', '104', '103']],
    ['clock', ['102', '101']],
    ['  CLOCKw  ', ['102']],
    // An ID, and the start of a name.
    ['101', ['111', '101']],
    ['éCL', ['110']],
    ['%', []],
    ['100%', ['104']],
    ['_', []],
    ['snake_', ['107']],
    ["o'", ['106']],
    ["' OR true --", []],
    ['back\\', ['109']],
    ['nothing', []],
    ['-1', []],
    ['9'.repeat(320), []],
  ];
  it.each(cases)('by %j', async (query, ids) => {
    expect(await find(query)).toEqual(ids);
  });
});

test('pages go from the newest to the oldest application', async () => {
  const all = ROWS.map(([id]) => id).toReversed();
  expect(await find('')).toEqual(all);
  const first = await find('', { limit: 4 });
  const second = await find('', { limit: 4, before: first[3] ?? '' });
  const last = await find('', { limit: 4, before: second[3] ?? '' });
  expect([first, second, last].map(({ length }) => length)).toEqual([4, 4, 3]);
  expect([...first, ...second, ...last]).toEqual(all);
  expect(await find('clock', { limit: 1, before: '102' })).toEqual(['101']);
});

test('an application is shown without its secret', async () => {
  const { applications } = await service.admin.findApplications({ query: '101', limit: 100 }, IN_TIME);
  expect(applications[1]).toEqual({
    id: '101',
    name: 'Clock',
    owner_id: '9001',
    redirect_uris: ['https://client.test'],
    created_at_ms: expect.any(Number),
    disablement: null,
    owner_suspended: false,
  });
});

test('a search takes the first 10,000 names with a start, by their index, so that one letter costs no more', async () => {
  await service.db.query(
    `INSERT INTO applications (id, owner_id, name)
     SELECT 100000 + n, 1, 'Zoo ' || lpad(n::text, 5, '0') FROM generate_series(1, 10001) AS n`,
  );
  expect(await find('z', { limit: 2 })).toEqual(['110000', '109999']);
  expect(await find('zoo 10001')).toEqual(['110001']);
  await service.db.query('ANALYZE applications');
  const { rows } = await service.db.query(
    `EXPLAIN SELECT id FROM applications WHERE lower(name) ~>=~ 'z' AND lower(name) ~<~ ('z' || chr(1114111))
       ORDER BY lower(name) USING ~<~ LIMIT 100`,
  );
  expect(JSON.stringify(rows)).toContain('applications_name_idx');
  expect(JSON.stringify(rows)).not.toContain('Sort');
  await service.db.query('DELETE FROM applications WHERE id > 100000');
});

describe('a malformed search is refused', () => {
  const cases = {
    'a query of 321 characters': [{ query: 'a'.repeat(321) }, 'query STRING_LENGTH_INVALID'],
    'a query of 10 KB': [{ query: "%'".repeat(5_120) }, 'query STRING_LENGTH_INVALID'],
    'a query with NUL': [{ query: 'a\0b' }, 'query INVALID_FORMAT'],
    'a bound that is no ID': [{ query: '', before: 'x' }, 'before INVALID_SNOWFLAKE_FORMAT'],
    'a limit of 0': [{ query: '', limit: 0 }, 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'],
    'a limit of 101': [{ query: '', limit: 101 }, 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'],
  } as const;
  it.each(Object.entries(cases))('with %s', async (_, [request, violation]) => {
    expect(await violationsOf(service.admin.findApplications(request, IN_TIME))).toEqual([violation]);
  });
});
