import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { botCaller, IN_TIME, newPerson, settings } from '../requests.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_bot_application');
});
afterAll(() => service.close());

test('a bot gets its application with the owner and without secrets', async () => {
  const owner = await newPerson(service.auth);
  const request = settings({ name: 'Mine', redirect_uris: ['https://example.com/'], bot_public: false });
  await service.oauth2.createApplication(settings({ name: 'Other' }), { ...IN_TIME, caller: owner });
  const { application } = await service.oauth2.createApplication(request, { ...IN_TIME, caller: owner });
  if (application === null) throw new Error('no application was created');
  const { client_secret: _secret, ...unsecret } = application;

  const seen = await service.oauth2.getBotApplication({}, { ...IN_TIME, caller: botCaller(application.id) });
  const { users } = await service.auth.getUsers({ ids: [owner.account_id] }, IN_TIME);
  expect(users).toHaveLength(1);
  expect(seen.application).toEqual({
    ...unsecret,
    bot: { ...application.bot, token: null },
    owner: users[0],
  });
});

test('any other credential is refused, and so is the bot of a deleted application', async () => {
  const owner = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller: owner });
  const id = application?.id ?? '';
  const accessToken = { ...botCaller(id), kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, scopes: ['bot'] };
  const session = { ...botCaller(id), kind: CallerKind.CALLER_KIND_SESSION };
  for (const caller of [anonymous, owner, session, accessToken, botCaller('404')]) {
    expect(await faultOf(service.oauth2.getBotApplication({}, { ...IN_TIME, caller }))).toMatchObject({
      reason: 'UNAUTHORIZED',
    });
  }
});
