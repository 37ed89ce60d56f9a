import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Auth, type AuthUnderTest, IN_TIME, registered, startAuth, whoIs } from '../auth.ts';
import { credentialEnded, eventsOf } from '../events/event-reader.ts';
import { together } from '../factors.ts';

const PASSWORD = 'correct horse battery';
const BOT = CallerKind.CALLER_KIND_BOT;

let service: AuthUnderTest;
let elsewhere: Auth;
beforeAll(async () => {
  service = await startAuth('auth_set_bot_disabled');
  elsewhere = await service.replica();
});
afterAll(() => service.close());

async function newBot(application_id: string) {
  const owner = await registered(service.auth);
  const { token } = await service.auth.createBot(
    { application_id, name: 'Robot', owner_id: owner.user_id },
    IN_TIME,
  );
  const { identity } = await service.auth.identify({ kind: BOT, token }, IN_TIME);
  return { application_id, token, token_id: identity?.credential_id ?? '', owner: owner.caller };
}
const set = (application_id: string, disabled: boolean, version: number, auth = service.auth) =>
  auth.setBotDisabled({ application_id, disabled, version }, IN_TIME);
const bot = (token: string) => whoIs(elsewhere, BOT, token);

test('the token of a disabled bot is refused at every replica until it is enabled', async () => {
  const { application_id, token, token_id } = await newBot('7001');
  expect(await set(application_id, true, 1)).toEqual({});
  expect(await bot(token)).toBeUndefined();
  expect(await set(application_id, false, 2)).toEqual({});
  expect(await bot(token)).toBe(application_id);
  const { identity } = await elsewhere.identify({ kind: BOT, token }, IN_TIME);
  expect(identity?.credential_id).not.toBe(token_id); // the Gateway refuses ended ones
});

test('a version that is not newer changes nothing', async () => {
  const { application_id, token } = await newBot('7002');
  await set(application_id, true, 1_764_391_234_567_890);
  for (const version of [1_764_391_234_567_890, 1_764_391_234_567_889, 0])
    await set(application_id, false, version);
  expect(await bot(token)).toBeUndefined();
  await set(application_id, false, 1_764_391_234_567_891);
  expect(await bot(token)).toBe(application_id);
});

test('the end of its token is an event, once', async () => {
  const { application_id, token_id } = await newBot('7003');
  const events = (disabled: boolean, version: number) =>
    eventsOf(service, elsewhere, () => set(application_id, disabled, version));
  expect(await events(true, 1)).toEqual([credentialEnded(application_id, token_id)]);
  expect(await events(true, 2)).toEqual([]);
  expect(await events(false, 3)).toEqual([]);
});

test('a new token of a disabled bot is refused, and works once it is enabled', async () => {
  const { application_id, token, owner } = await newBot('7004');
  await set(application_id, true, 1);
  const reset = { application_id, password: PASSWORD };
  const { token: fresh } = await service.auth.resetBotToken(reset, { ...IN_TIME, caller: owner });
  expect(await bot(fresh)).toBeUndefined();
  await set(application_id, false, 2);
  expect(await bot(fresh)).toBe(application_id);
  expect(await bot(token)).toBeUndefined();
});

test('a bot that is none is no error', async () => {
  for (const application_id of ['1', '', 'x', "'"]) expect(await set(application_id, true, 1)).toEqual({});
});

test('of 64 changes in any order at two replicas, the newest counts', async () => {
  const { application_id, token } = await newBot('7005');
  const { refusals } = await together([service.auth, elsewhere], (auth, index) => {
    const version = ((index * 37) % 64) + 1;
    return set(application_id, version % 2 === 0, version, auth);
  });
  expect(refusals).toEqual({});
  expect(await bot(token)).toBeUndefined();
});
