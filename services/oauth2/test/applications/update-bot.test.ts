import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { UpdateBotRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_update_bot');
});
afterAll(() => service.close());

async function create() {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  if (application == null) throw new Error('no application was created');
  return { caller, id: application.id };
}

const get = async (caller: Caller, application_id: string) =>
  (await service.oauth2.getApplication({ application_id }, { ...IN_TIME, caller })).application;

const update = async (caller: Caller, application_id: string, changes: Partial<UpdateBotRequest>) => {
  const request = { application_id, avatar: null, ...changes };
  return (await service.oauth2.updateBot(request, { ...IN_TIME, caller })).bot;
};

test('an owner renames the bot; the application keeps its name', async () => {
  const { caller, id } = await create();
  const before = await get(caller, id);
  const bot = await update(caller, id, { username: `bot.${id}`, avatar: { value: null } });
  expect(bot).toEqual({ ...before?.bot, username: `bot.${id}` });
  expect(await get(caller, id)).toEqual({ ...before, bot });
});

test('the violations of auth are returned, and nothing changes', async () => {
  const { caller, id } = await create();
  const before = await get(caller, id);
  expect(await violationsOf(update(caller, id, { username: 'not this' }))).toEqual([
    'username USERNAME_INVALID_CHARACTERS',
  ]);
  const other = await create();
  const taken = (await get(other.caller, other.id))?.bot?.username ?? '';
  expect(await violationsOf(update(caller, id, { username: taken }))).toEqual(['username TAG_ALREADY_TAKEN']);
  expect(await get(caller, id)).toEqual(before);
});

test('a bot stays unchanged for another account and for nobody', async () => {
  const { caller, id } = await create();
  const before = await get(caller, id);
  const stranger = await newPerson(service.auth);
  const mine = { username: 'mine' };
  expect(await faultOf(update(stranger, id, mine))).toMatchObject({ reason: 'FORBIDDEN' });
  expect(await faultOf(update(anonymous, id, mine))).toMatchObject({ reason: 'UNAUTHORIZED' });
  expect(await get(caller, id)).toEqual(before);
});

test.each(['0', '404', '', 'abc', '9223372036854775808'])(
  'an application is unknown with the ID %j',
  async (id) => {
    const attempt = update(await newPerson(service.auth), id, { username: 'mine' });
    expect(await faultOf(attempt)).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
  },
);
