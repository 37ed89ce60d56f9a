import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings, whoIs } from '../requests.ts';
import { exchange, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';

let service: Oauth2UnderTest;
let elsewhere: Oauth2;
beforeAll(async () => {
  service = await startOauth2('oauth2_delete');
  elsewhere = await service.replica();
});
afterAll(() => service.close());

const remove = (application_id: string, caller: Caller, oauth2 = service.oauth2) =>
  oauth2.deleteApplication({ application_id }, { ...IN_TIME, caller });
const create = async (caller: Caller) =>
  (await service.oauth2.createApplication(settings(), { ...IN_TIME, caller })).application;
const botsOf = async (ids: string[]) => (await service.auth.getUsers({ ids }, IN_TIME)).users;

/** The number of an application's rows. */
async function rowsOf(application_id: string): Promise<number> {
  const { rows } = await service.db.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM applications WHERE id = $1)
           + (SELECT count(*) FROM authorization_codes WHERE application_id = $1)
           + (SELECT count(*) FROM access_tokens WHERE application_id = $1)
           + (SELECT count(*) FROM refresh_tokens WHERE application_id = $1))::int AS count`,
    [application_id],
  );
  return rows[0]?.count ?? -1;
}

describe('a deleted application', () => {
  test('is gone with its codes, tokens and secret, at every replica', async () => {
    const client = await newClient(service);
    const { client_id, owner } = client;
    const pair = await exchange(service.oauth2, client, await newCode(service.oauth2, client));
    const code = await newCode(service.oauth2, client);
    await remove(client_id, owner);

    expect(await whoIs(elsewhere, pair.access_token)).toBeUndefined();
    expect(await outcomeOf(exchange(elsewhere, client, code))).toBe('INVALID_CLIENT');
    expect(await outcomeOf(refresh(elsewhere, client, pair.refresh_token))).toBe('INVALID_CLIENT');
    expect(await outcomeOf(newCode(elsewhere, client))).toBe('INVALID_CLIENT');
    const get = elsewhere.getApplication({ application_id: client_id }, { ...IN_TIME, caller: owner });
    expect(await outcomeOf(get)).toBe('UNKNOWN_APPLICATION');
    expect(await rowsOf(client_id)).toBe(0);
  });

  test('leaves other applications and their tokens unchanged', async () => {
    const kept = await newClient(service);
    const pair = await exchange(service.oauth2, kept, await newCode(service.oauth2, kept));
    const gone = await create(kept.owner);
    await remove(gone?.id ?? '', kept.owner);
    expect(await whoIs(elsewhere, pair.access_token)).toMatchObject({ application_id: kept.client_id });
    expect(await botsOf([kept.client_id])).toHaveLength(1);
  });

  test('is gone with its bot and the token of the bot', async () => {
    const caller = await newPerson(service.auth);
    const made = await create(caller);
    await remove(made?.id ?? '', caller);
    expect(await botsOf([made?.id ?? ''])).toEqual([]);
    const bot = { kind: CallerKind.CALLER_KIND_BOT, token: made?.bot?.token ?? '' };
    expect((await service.auth.identify(bot, IN_TIME)).identity ?? null).toBeNull();
  });

  test('makes room for another: the limit of 25 counts existing ones', async () => {
    const caller = await newPerson(service.auth);
    const made = await Promise.all(Array.from({ length: 25 }, () => create(caller)));
    expect(await outcomeOf(create(caller))).toBe('BAD_REQUEST');
    await remove(made[7]?.id ?? '', caller);
    expect(await outcomeOf(create(caller))).toBe('ok');
    expect(await outcomeOf(create(caller))).toBe('BAD_REQUEST');
  });

  test('is deleted once by 16 concurrent requests at two replicas', async () => {
    const caller = await newPerson(service.auth);
    const id = (await create(caller))?.id ?? '';
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        outcomeOf(remove(id, caller, n % 2 === 0 ? service.oauth2 : elsewhere)),
      ),
    );
    expect(outcomes.sort()).toEqual([...Array<string>(15).fill('UNKNOWN_APPLICATION'), 'ok'].sort());
  });

  test('leaves nothing of concurrent exchanges, refreshes and revocations', async () => {
    for (let round = 0; round < 5; round++) {
      const client = await newClient(service);
      const { client_id, client_secret, owner } = client;
      const codes = await Promise.all(Array.from({ length: 16 }, () => newCode(service.oauth2, client)));
      const pairs = await Promise.all(
        codes.slice(0, 8).map((code) => exchange(service.oauth2, client, code)),
      );
      const form = new URLSearchParams({ client_id, client_secret, token: pairs[0]?.access_token ?? '' });
      const revocation = {
        content_type: 'application/x-www-form-urlencoded',
        body: Buffer.from(form.toString()),
      };
      const racing = [
        ...codes.slice(8).map((code) => outcomeOf(exchange(elsewhere, client, code))),
        ...pairs.map((pair) => outcomeOf(refresh(elsewhere, client, pair.refresh_token))),
        outcomeOf(elsewhere.revokeToken(revocation, IN_TIME)),
      ];
      expect(await outcomeOf(remove(client_id, owner))).toBe('ok');
      for (const outcome of await Promise.all(racing)) {
        expect(['ok', 'INVALID_CLIENT', 'INVALID_GRANT']).toContain(outcome);
      }
      expect(await rowsOf(client_id)).toBe(0);
    }
  });
});

describe('an application stays', () => {
  test('for another account and for nobody', async () => {
    const owner = await newPerson(service.auth);
    const id = (await create(owner))?.id ?? '';
    const stranger = await newPerson(service.auth);
    expect(await faultOf(remove(id, stranger))).toMatchObject({ reason: 'FORBIDDEN' });
    expect(await faultOf(remove(id, anonymous))).toMatchObject({ reason: 'UNAUTHORIZED' });
    expect(await rowsOf(id)).toBe(1);
    expect(await botsOf([id])).toHaveLength(1);
  });

  test.each(['0', '404', '', 'abc', '9223372036854775808'])('unknown when it is %j', async (id) => {
    const attempt = remove(id, await newPerson(service.auth));
    expect(await faultOf(attempt)).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
  });
});
