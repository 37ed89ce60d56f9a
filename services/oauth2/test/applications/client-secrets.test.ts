import { faultOf } from '@gatehouse/dev-env/faults';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { changes, IN_TIME, newPerson, settings } from '../requests.ts';
import { exchange, formOf, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';

let service: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
beforeAll(async () => {
  service = await startOauth2('oauth2_client_secrets');
  replicas = [service.oauth2, await service.replica()];
});
afterAll(() => service.close());

const replica = (index: number) => replicas[index % 2 === 0 ? 0 : 1];

const list = async (application_id: string, caller: Caller) =>
  (await service.oauth2.listClientSecrets({ application_id }, { ...IN_TIME, caller })).secrets;

async function add(application_id: string, caller: Caller, oauth2 = service.oauth2) {
  const { secret } = await oauth2.createClientSecret({ application_id }, { ...IN_TIME, caller });
  if (secret?.client_secret == null) throw new Error('the response has no client secret');
  return { ...secret, client_secret: secret.client_secret };
}

const remove = (application_id: string, secret_id: string, caller: Caller, oauth2 = service.oauth2) =>
  oauth2.deleteClientSecret({ application_id, secret_id }, { ...IN_TIME, caller });

/** The outcome of a secret at a token route of a replica. */
const outcome = (client_id: string, client_secret: string, oauth2 = service.oauth2) =>
  outcomeOf(oauth2.introspectToken(formOf({ client_id, client_secret, token: 'none' }), IN_TIME));

describe('two client secrets', () => {
  test('authenticate the client alike, until one is deleted', async () => {
    const client = await newClient(service);
    const { client_id, client_secret, owner } = client;
    const [first] = await list(client_id, owner);
    expect(first).toMatchObject({ hint: client_secret.slice(-4), client_secret: null });
    const second = await add(client_id, owner);
    expect(await list(client_id, owner)).toMatchObject([
      { id: first?.id },
      { id: second.id, hint: second.client_secret.slice(-4), last_used_at: null, client_secret: null },
    ]);
    // Each exchange authenticates with the other one.
    const pair = await exchange(service.oauth2, client, await newCode(service.oauth2, client));
    const renewed = { ...client, client_secret: second.client_secret };
    const next = await refresh(replicas[1], renewed, pair.refresh_token);
    await refresh(service.oauth2, client, next.refresh_token);
    await exchange(service.oauth2, renewed, await newCode(service.oauth2, client));

    await remove(client_id, first?.id ?? '', owner);
    for (const oauth2 of replicas) {
      expect(await outcome(client_id, client_secret, oauth2)).toBe('INVALID_CLIENT_SECRET');
      expect(await outcome(client_id, second.client_secret, oauth2)).toBe('ok');
    }
    expect((await list(client_id, owner)).map(({ id }) => id)).toEqual([second.id]);
  });

  test('end together by a reset', async () => {
    const { client_id, client_secret, owner } = await newClient(service);
    const second = await add(client_id, owner);
    const answer = await service.oauth2.resetClientSecret(
      { application_id: client_id },
      { ...IN_TIME, caller: owner },
    );
    for (const ended of [client_secret, second.client_secret])
      expect(await outcome(client_id, ended)).toBe('INVALID_CLIENT_SECRET');
    expect(await outcome(client_id, answer.application?.client_secret ?? '')).toBe('ok');
    expect(await list(client_id, owner)).toHaveLength(1);
  });

  test('end when the application becomes a public client, which gets none', async () => {
    const { client_id, owner } = await newClient(service);
    await add(client_id, owner);
    const call = { ...IN_TIME, caller: owner };
    await service.oauth2.updateApplication({ application_id: client_id, ...changes({ public: true }) }, call);
    expect(await list(client_id, owner)).toEqual([]);
    expect(await faultOf(add(client_id, owner))).toMatchObject({ reason: 'BAD_REQUEST' });
    await service.oauth2.updateApplication(
      { application_id: client_id, ...changes({ public: false }) },
      call,
    );
    expect(await list(client_id, owner)).toHaveLength(1);
  });

  test('show when each was used last', async () => {
    const { client_id, client_secret, owner } = await newClient(service);
    const second = await add(client_id, owner);
    expect(await outcome(client_id, second.client_secret)).toBe('ok');
    expect(await outcome(client_id, 'wrong')).toBe('INVALID_CLIENT_SECRET');
    await expect
      .poll(async () => (await list(client_id, owner)).map((secret) => secret.last_used_at !== null), {
        timeout: 30_000,
      })
      .toEqual([false, true]);
    expect(await outcome(client_id, client_secret)).toBe('ok');
  });
});

describe('of many callers at two replicas', () => {
  test('one adds a second secret, and nobody a third', async () => {
    const { client_id, owner } = await newClient(service);
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, index) => outcomeOf(add(client_id, owner, replica(index)))),
    );
    expect(results.filter((result) => result === 'ok')).toHaveLength(1);
    expect(results.filter((result) => result === 'BAD_REQUEST')).toHaveLength(15);
    expect(await list(client_id, owner)).toHaveLength(2);
  });

  test('who delete both secrets, one is refused', async () => {
    const { client_id, owner } = await newClient(service);
    await add(client_id, owner);
    const ids = (await list(client_id, owner)).map(({ id }) => id);
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        outcomeOf(remove(client_id, ids[index % 2] ?? '', owner, replica(index >> 1))),
      ),
    );
    expect(results.filter((result) => result === 'ok')).toHaveLength(1);
    expect(await list(client_id, owner)).toHaveLength(1);
  });
});

describe('is refused:', () => {
  test('the deletion of the only secret, and of one that does not exist', async () => {
    const { client_id, client_secret, owner } = await newClient(service);
    const [only] = await list(client_id, owner);
    expect(await faultOf(remove(client_id, only?.id ?? '', owner))).toMatchObject({ reason: 'BAD_REQUEST' });
    for (const id of ['0', '404', '', 'abc'])
      expect(await faultOf(remove(client_id, id, owner))).toMatchObject({ reason: 'NOT_FOUND' });
    const other = await newClient(service);
    const [foreign] = await list(other.client_id, other.owner);
    expect(await faultOf(remove(client_id, foreign?.id ?? '', owner))).toMatchObject({ reason: 'NOT_FOUND' });
    expect(await outcome(client_id, client_secret)).toBe('ok');
  });

  test('everything to another account', async () => {
    const { client_id, owner } = await newClient(service);
    const [secret] = await list(client_id, owner);
    const stranger = await newPerson(service.auth);
    for (const attempt of [
      list(client_id, stranger),
      add(client_id, stranger),
      remove(client_id, secret?.id ?? '', stranger),
    ])
      expect(await faultOf(attempt)).toMatchObject({ reason: 'FORBIDDEN' });
    expect(await list(client_id, owner)).toHaveLength(1);
  });

  test('nothing of a secret that an earlier version made, whose hint is unknown', async () => {
    const { client_id, client_secret, owner } = await newClient(service);
    await service.db.query(
      `UPDATE applications SET client_secret_id = NULL, client_secret_hint = NULL, client_secret_created_at = NULL
        WHERE id = $1`,
      [client_id],
    );
    expect(await list(client_id, owner)).toMatchObject([{ id: client_id, hint: null, created_at: null }]);
    const second = await add(client_id, owner);
    await remove(client_id, client_id, owner);
    expect(await outcome(client_id, client_secret)).toBe('INVALID_CLIENT_SECRET');
    expect(await outcome(client_id, second.client_secret)).toBe('ok');
  });
});

test('a second secret is in no table', async () => {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  const { client_secret } = await add(application?.id ?? '', caller);
  const { rows } = await service.db.query<{ row: string }>('SELECT a::text AS row FROM applications AS a');
  expect(rows.map(({ row }) => row).join('\n')).not.toContain(client_secret);
});
