import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_public');
});
afterAll(() => service.close());

const getPublic = async (caller: Caller, application_id: string) =>
  (await service.oauth2.getPublicApplication({ application_id }, { ...IN_TIME, caller })).application;

async function create() {
  const caller = await newPerson(service.auth);
  const request = settings({ redirect_uris: ['https://client.test/'], bot_public: false });
  const { application } = await service.oauth2.createApplication(request, { ...IN_TIME, caller });
  if (application == null) throw new Error('no application was created');
  return { application, caller };
}

test('every signed-in user sees an application, without its redirect URIs and secrets', async () => {
  const { application, caller } = await create();
  const { id, name, bot, created_at } = application;
  expect(await getPublic(await newPerson(service.auth), id)).toEqual({
    id,
    name,
    icon: null,
    description: null,
    bot_public: false,
    bot_require_code_grant: false,
    scopes: ['identify', 'email', 'guilds', 'connections', 'bot'],
    bot: { ...bot, token: null },
    terms_url: null,
    privacy_url: null,
    created_at,
    owner: {
      id: caller.account_id,
      username: expect.stringMatching(/^p\d+$/),
      global_name: null,
      avatar: null,
    },
  });
});

test('an application whose bot is gone is shown without it', async () => {
  const { application, caller } = await create();
  const bot = { application_id: application.id, owner_id: caller.account_id };
  await service.auth.deleteBot(bot, IN_TIME);
  expect(await getPublic(caller, application.id)).toMatchObject({ id: application.id, bot: null });
});

test.each(['0', '404', '9223372036854775807', '', 'abc', '-1', '9223372036854775808'])(
  'an application is unknown with the ID %j',
  async (id) => {
    const attempt = getPublic(await newPerson(service.auth), id);
    expect(await faultOf(attempt)).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
  },
);

test('nobody sees one', async () => {
  const { application } = await create();
  const attempt = getPublic(anonymous, application.id);
  expect(await faultOf(attempt)).toMatchObject({ reason: 'UNAUTHORIZED' });
});

test('anybody sees the name and the icon of an application, and nothing else', async () => {
  const { application } = await create();
  const { id: application_id, name } = application;
  const named = { ...IN_TIME, caller: anonymous };
  expect(await service.oauth2.getApplicationName({ application_id }, named)).toEqual({ name, icon: null });
  const attempt = service.oauth2.getApplicationName({ application_id: '404' }, named);
  expect(await faultOf(attempt)).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
});
