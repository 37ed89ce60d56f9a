import { violationsOf } from '@gatehouse/dev-env/faults';
import { type Algorithm, hashSync } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, startAuth } from '../auth.ts';
import { type Person, person, personWithTotp, standingClock } from '../factors.ts';

const time = standingClock();
let service: AuthUnderTest;
let replicas: Auth[];
beforeAll(async () => {
  service = await startAuth('auth_renew_hash', { clock: time.clock });
  replicas = [service.auth, await service.replica()];
});
afterAll(() => service.close());

const login = ({ email, password }: Person, auth = service.auth) => auth.login({ email, password }, IN_TIME);

/** A hash of the password with an older cost. */
async function hashedLongAgo({ user_id, password }: Person): Promise<void> {
  const weak = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 4096, timeCost: 1, parallelism: 1 };
  await service.db.query('UPDATE accounts SET password_hash = $2 WHERE id = $1', [
    user_id,
    hashSync(password, weak),
  ]);
}

async function hashOf({ user_id }: Person): Promise<{ cost: string; password_changed_at: Date }> {
  const { rows } = await service.db.query(
    'SELECT password_hash, password_changed_at FROM accounts WHERE id = $1',
    [user_id],
  );
  const { password_hash, password_changed_at } = rows[0];
  return { cost: password_hash.split('$').slice(0, 4).join('$'), password_changed_at };
}

const OLD = { cost: '$argon2id$v=19$m=4096,t=1,p=1' };
const NEW = { cost: '$argon2id$v=19$m=19456,t=2,p=1' };

test('a login renews a hash of an older cost; the password stays the same', async () => {
  const someone = await person(service.auth);
  const { password_changed_at } = await hashOf(someone);
  await hashedLongAgo(someone);
  expect(await violationsOf(login({ ...someone, password: 'not the password' }))).toHaveLength(2);
  expect(await hashOf(someone)).toMatchObject(OLD);

  await login(someone);
  expect(await hashOf(someone)).toEqual({ ...NEW, password_changed_at });
  expect(await login(someone)).toMatchObject({ user_id: someone.user_id });
  expect(await violationsOf(login({ ...someone, password: 'not the password' }))).toHaveLength(2);
});

test('a login that needs a second factor renews the hash too', async () => {
  const someone = await personWithTotp(service.auth, time.now());
  await hashedLongAgo(someone);
  expect(await login(someone)).toMatchObject({ mfa: true });
  expect(await hashOf(someone)).toMatchObject(NEW);
});

test('a sudo proof renews the hash too', async () => {
  const someone = await person(service.auth);
  await hashedLongAgo(someone);
  const { caller, password } = someone;
  await service.auth.createSudoGrant({ password }, { ...IN_TIME, caller });
  expect(await hashOf(someone)).toMatchObject(NEW);
});

test('concurrent proofs at two replicas all succeed', async () => {
  const someone = await person(service.auth);
  await hashedLongAgo(someone);
  const { caller, password } = someone;
  await Promise.all([
    ...Array.from({ length: 16 }, (_, index) => login(someone, replicas[index % 2])),
    ...replicas.map((auth) => auth.createSudoGrant({ password }, { ...IN_TIME, caller })),
  ]);
  expect(await hashOf(someone)).toMatchObject(NEW);
});

test('a hash of the current cost is kept', async () => {
  const someone = await person(service.auth);
  const read = () => service.db.query('SELECT password_hash FROM accounts WHERE id = $1', [someone.user_id]);
  const before = (await read()).rows;
  await login(someone);
  expect((await read()).rows).toEqual(before);
});
