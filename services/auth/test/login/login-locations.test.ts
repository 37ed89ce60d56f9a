import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, startAuth } from '../auth.ts';
import { AWAY, from, HOME, type Person, personAtHome } from './held.ts';

let service: AuthUnderTest;
let replicas: Auth[];
beforeAll(async () => {
  service = await startAuth('auth_login_locations', { config: { login_location_check: false } });
  replicas = [service.auth, await service.replica()];
});
afterAll(() => service.close());

const login = (person: Person, ip: string, auth = service.auth) => auth.login(person, from(ip));

async function known({ user_id }: Person): Promise<string[]> {
  const { rows } = await service.db.query<{ network: string }>(
    'SELECT network FROM login_locations WHERE account_id = $1',
    [user_id],
  );
  return rows.map(({ network }) => network);
}

/** Inserts known networks: the first was used an hour ago, each further one an hour earlier. */
async function usedBefore({ user_id }: Person, count: number): Promise<void> {
  await service.db.query(
    `INSERT INTO login_locations (account_id, network, last_login_at)
     SELECT $1, '10.0.0.' || n, now() - n * interval '1 hour' FROM generate_series(1, $2::int) AS n`,
    [user_id, count],
  );
}

test('an account keeps 100 known networks; a new one replaces the least recently used', async () => {
  const person = await personAtHome(service.auth);
  await usedBefore(person, 99);
  await login(person, '10.0.0.99');
  await login(person, AWAY);
  const networks = await known(person);
  expect(networks).toHaveLength(100);
  expect(networks).toEqual(expect.arrayContaining([HOME, AWAY, '10.0.0.99', '10.0.0.97']));
  expect(networks).not.toContain('10.0.0.98');
});

test('an account keeps 100 known networks under concurrent logins at two replicas', async () => {
  const person = await personAtHome(service.auth);
  await usedBefore(person, 98);
  const logins = Array.from({ length: 32 }, (_, index) =>
    login(person, `203.0.113.${index}`, replicas[index % 2]),
  );
  await Promise.all(logins);
  expect(await known(person)).toHaveLength(100);
});
