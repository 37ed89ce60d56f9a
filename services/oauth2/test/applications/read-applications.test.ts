import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_read');
});
afterAll(() => service.close());

const create = async (caller: Caller, name: string) =>
  (await service.oauth2.createApplication(settings({ name }), { ...IN_TIME, caller })).application;
const list = async (caller: Caller) =>
  (await service.oauth2.listApplications({}, { ...IN_TIME, caller })).applications;
const get = async (caller: Caller, application_id: string) =>
  (await service.oauth2.getApplication({ application_id }, { ...IN_TIME, caller })).application;

describe('an owner', () => {
  test('sees their applications, oldest first, without secrets', async () => {
    const owner = await newPerson(service.auth);
    const stranger = await newPerson(service.auth);
    const first = await create(owner, 'First');
    await create(stranger, 'Between');
    const second = await create(owner, 'Second');

    const withoutSecrets = [first, second].map((made) => ({
      ...made,
      client_secret: null,
      bot: { ...made?.bot, token: null },
    }));
    expect(await list(owner)).toEqual(withoutSecrets);
    expect(await get(owner, first?.id ?? '')).toEqual(withoutSecrets[0]);
  });

  test('without applications gets an empty list', async () => {
    expect(await list(await newPerson(service.auth))).toEqual([]);
  });
});

describe('an application is refused', () => {
  test('to another account', async () => {
    const made = await create(await newPerson(service.auth), 'Private');
    const stranger = await newPerson(service.auth);
    expect(await faultOf(get(stranger, made?.id ?? ''))).toMatchObject({ reason: 'FORBIDDEN' });
  });

  test.each(['0', '404', '9223372036854775807', '', 'abc', '-1', '9223372036854775808'])(
    'as unknown with the ID %j',
    async (id) => {
      const owner = await newPerson(service.auth);
      expect(await faultOf(get(owner, id))).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
    },
  );

  test('to nobody', async () => {
    expect(await faultOf(get(anonymous, '404'))).toMatchObject({ reason: 'UNAUTHORIZED' });
    expect(await faultOf(list(anonymous))).toMatchObject({ reason: 'UNAUTHORIZED' });
  });
});
