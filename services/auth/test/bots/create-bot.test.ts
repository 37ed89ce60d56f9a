import { faultOf } from '@gatehouse/dev-env/faults';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, startAuth, whoIs } from '../auth.ts';

const BOT = CallerKind.CALLER_KIND_BOT;

let service: AuthUnderTest;
let owner: string;
beforeAll(async () => {
  service = await startAuth('auth_create_bot');
  owner = (await registered(service.auth)).user_id;
});
afterAll(() => service.close());

const createBot = (application_id: string, name: string, owner_id = owner) =>
  service.auth.createBot({ application_id, name, owner_id }, IN_TIME);

test("a bot has the application's ID and name, and a token", async () => {
  const { bot, token } = await createBot('1001', 'My Helper ✨');
  expect(token).toMatch(/^1001\.[A-Za-z0-9_-]{43}$/);
  expect(bot).toEqual({
    id: '1001',
    username: 'My_Helper_1001',
    discriminator: '0',
    global_name: 'My Helper ✨',
    avatar: null,
    bot: true,
  });
});

describe('the user name of a bot', () => {
  test.each([
    ['9223372036854775807', 'a'.repeat(100), 'aaaaaaaaaaaa_9223372036854775807'],
    ['1002', 'Crème brûlée', 'Creme_brulee_1002'],
    ['1003', '机器人', 'bot_1003'],
    ['1004', '__!__', 'bot_1004'],
  ])('for the ID %s and the name %s is %s', async (id, name, username) => {
    const { bot } = await createBot(id, name);
    expect(bot).toMatchObject({ username, global_name: name });
    expect(username).toMatch(/^[A-Za-z0-9_.]{1,32}$/);
  });

  test('is random if a person has taken it', async () => {
    await registered(service.auth, { username: 'SQUATTED_1005' });
    const { bot, token } = await createBot('1005', 'Squatted');
    expect(bot?.username).toMatch(/^bot_[0-9a-f]{28}$/);
    expect(await whoIs(service.auth, BOT, token)).toBe('1005');
  });
});

describe('a repeated creation', () => {
  test('is refused, and the token stays', async () => {
    const { token } = await createBot('2001', 'Twice');
    expect(await faultOf(createBot('2001', 'Twice'))).toMatchObject({ reason: 'FORBIDDEN' });
    expect(await whoIs(service.auth, BOT, token)).toBe('2001');
  });

  test('by 20 concurrent calls creates one bot with one token', async () => {
    const attempts = Array.from({ length: 20 }, () => createBot('2003', 'Many'));
    const settled = await Promise.allSettled(attempts);
    const made = settled.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
    expect(made).toHaveLength(1);
    expect(await whoIs(service.auth, BOT, made[0]?.token ?? '')).toBe('2003');
  });

  test('never comes from the RPC client: the RPC is not marked idempotent', () => {
    const { createBot, deleteBot } = AuthServiceDefinition.methods;
    expect(createBot.options).toEqual({});
    expect(deleteBot.options).toEqual({ idempotencyLevel: 'IDEMPOTENT' });
  });
});

describe('a deleted bot', () => {
  const deleteBot = (application_id: string, owner_id = owner) =>
    service.auth.deleteBot({ application_id, owner_id }, IN_TIME);

  test('is gone with its token, and deleting it again has no effect', async () => {
    const { token } = await createBot('2101', 'Unmade');
    for (let count = 0; count < 2; count++) await deleteBot('2101');
    expect(await whoIs(service.auth, BOT, token)).toBeUndefined();
    expect((await service.auth.getUsers({ ids: ['2101'] }, IN_TIME)).users).toEqual([]);
  });

  test('is neither the bot of another owner nor a person', async () => {
    const { token } = await createBot('2102', 'Mine');
    const stranger = (await registered(service.auth)).user_id;
    await deleteBot('2102', stranger);
    await deleteBot(stranger, owner);
    await deleteBot(stranger, stranger);
    await deleteBot('', 'x');
    expect(await whoIs(service.auth, BOT, token)).toBe('2102');
    expect((await service.auth.getUsers({ ids: [stranger] }, IN_TIME)).users).toHaveLength(1);
  });
});

describe('a creation is refused', () => {
  test("for another owner's application", async () => {
    const { token } = await createBot('3001', 'Mine');
    const stranger = (await registered(service.auth)).user_id;
    expect(await faultOf(createBot('3001', 'Mine', stranger))).toMatchObject({ reason: 'FORBIDDEN' });
    expect(await whoIs(service.auth, BOT, token)).toBe('3001');
  });

  test('for the ID of a person', async () => {
    const person = (await registered(service.auth)).user_id;
    expect(await faultOf(createBot(person, 'Disguise'))).toMatchObject({ reason: 'FORBIDDEN' });
    const { users } = await service.auth.getUsers({ ids: [person] }, IN_TIME);
    expect(users).toMatchObject([{ bot: false, global_name: null }]);
  });

  test.each([
    ['an application without an ID', 'application_id', '', 'Nobody', '1'],
    ['a malformed application ID', 'application_id', '1e3', 'Nobody', '1'],
    ['a malformed owner ID', 'owner_id', '3003', 'Nobody', '9223372036854775808'],
    ['a name with a NUL', 'name', '3003', 'No\0body', '1'],
  ])('for %s', async (_, path, application_id, name, owner_id) => {
    const fault = await faultOf(createBot(application_id, name, owner_id));
    expect([fault.reason, fault.violations.map((one) => one.path)]).toEqual(['INVALID_FORM_BODY', [path]]);
  });

  test('for a deleted owner', async () => {
    expect(await faultOf(createBot('3002', 'Orphan', '404'))).toMatchObject({ reason: 'UNAUTHORIZED' });
    expect((await service.auth.getUsers({ ids: ['3002'] }, IN_TIME)).users).toEqual([]);
  });
});
