import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson } from '../requests.ts';
import { exchange, formOf, newClient, newCode, outcomeOf } from '../tokens.ts';

let service: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
beforeAll(async () => {
  service = await startOauth2('oauth2_secret_reset');
  replicas = [service.oauth2, await service.replica()];
});
afterAll(() => service.close());

async function reset(oauth2: Oauth2, application_id: string, caller: Caller) {
  const answer = await oauth2.resetClientSecret({ application_id }, { ...IN_TIME, caller });
  return answer.application;
}

/** The outcome of the secret at a token route of each replica. */
const outcomes = (client_id: string, client_secret: string) =>
  Promise.all(
    replicas.map((oauth2) =>
      outcomeOf(oauth2.introspectToken(formOf({ client_id, client_secret, token: 'none' }), IN_TIME)),
    ),
  );

test('a new secret works at once, and the old one no longer, at every replica', async () => {
  const client = await newClient(service);
  const { client_id, owner } = client;
  expect(await outcomes(client_id, client.client_secret)).toEqual(['ok', 'ok']);
  const application = await reset(replicas[0], client_id, owner);
  const client_secret = application?.client_secret ?? '';
  expect(client_secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await outcomes(client_id, client.client_secret)).toEqual([
    'INVALID_CLIENT_SECRET',
    'INVALID_CLIENT_SECRET',
  ]);
  expect(await outcomes(client_id, client_secret)).toEqual(['ok', 'ok']);
});

test('the secret is shown once; nothing else of the application changes', async () => {
  const { client_id, owner } = await newClient(service);
  const get = () =>
    service.oauth2.getApplication({ application_id: client_id }, { ...IN_TIME, caller: owner });
  const { application: before } = await get();
  const answer = await reset(service.oauth2, client_id, owner);
  expect({ ...answer, client_secret: null }).toEqual(before);
  expect((await get()).application).toEqual(before);
});

test('codes and tokens stay live', async () => {
  const client = await newClient(service);
  const first = await exchange(service.oauth2, client, await newCode(service.oauth2, client));
  const code = await newCode(service.oauth2, client);
  const client_secret = (await reset(service.oauth2, client.client_id, client.owner))?.client_secret ?? '';
  const identified = await service.oauth2.identify({ token: first.access_token }, IN_TIME);
  expect(identified.identity?.application_id).toBe(client.client_id);
  expect(await outcomeOf(exchange(service.oauth2, { ...client, client_secret }, code))).toBe('ok');
});

test('of 16 concurrent resets at two replicas one secret is left', async () => {
  const { client_id, owner } = await newClient(service);
  const made = await Promise.all(
    Array.from({ length: 16 }, (_, index) => reset(replicas[index % 2 === 0 ? 0 : 1], client_id, owner)),
  );
  const secrets = made.map((application) => application?.client_secret ?? '');
  expect(new Set(secrets).size).toBe(16);
  const results = await Promise.all(secrets.map((secret) => outcomes(client_id, secret)));
  expect(results.filter((result) => result.every((outcome) => outcome === 'ok'))).toHaveLength(1);
  expect(results.flat().filter((outcome) => outcome === 'INVALID_CLIENT_SECRET')).toHaveLength(30);
});

test('the secret stays for another account and for nobody', async () => {
  const { client_id, client_secret } = await newClient(service);
  const stranger = await newPerson(service.auth);
  expect(await faultOf(reset(service.oauth2, client_id, stranger))).toMatchObject({ reason: 'FORBIDDEN' });
  expect(await faultOf(reset(service.oauth2, client_id, anonymous))).toMatchObject({
    reason: 'UNAUTHORIZED',
  });
  expect(await outcomes(client_id, client_secret)).toEqual(['ok', 'ok']);
});

test.each(['0', '404', '', 'abc', '9223372036854775808'])(
  'an application is unknown with the ID %j',
  async (id) => {
    const attempt = reset(service.oauth2, id, await newPerson(service.auth));
    expect(await faultOf(attempt)).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
  },
);
