import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, startAuth } from '../auth.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_users');
});
afterAll(() => service.close());

const current = async (caller: Caller) =>
  (await service.auth.getCurrentUser({}, { ...IN_TIME, caller })).user;
const users = async (...ids: string[]) => (await service.auth.getUsers({ ids }, IN_TIME)).users;

describe('connections', () => {
  test('is empty for an account, and refused for a deleted one', async () => {
    const { caller } = await registered(service.auth);
    const list = (who: Caller) => service.auth.listConnections({}, { ...IN_TIME, caller: who });
    expect(await list(caller)).toEqual({ connections: [] });
    expect((await faultOf(list({ ...caller, account_id: '1' }))).reason).toBe('UNAUTHORIZED');
    expect((await faultOf(list(anonymous))).reason).toBe('UNAUTHORIZED');
  });
});

describe('the current user', () => {
  test('is the account of the session', async () => {
    const { user, caller } = await registered(service.auth, { global_name: 'Grace' });
    expect(await current(caller)).toEqual(user);
  });

  test('of a bot is the bot, without an address', async () => {
    const owner = await registered(service.auth);
    await service.auth.createBot({ application_id: '11', name: 'Robot', owner_id: owner.user_id }, IN_TIME);
    const bot = { ...anonymous, kind: CallerKind.CALLER_KIND_BOT, account_id: '11', application_id: '11' };
    expect(await current(bot)).toMatchObject({
      id: '11',
      global_name: 'Robot',
      bot: true,
      email: null,
      password_last_changed_at: null,
    });
  });

  test('hides the address and security settings from an access token without the scope email', async () => {
    const { user, caller } = await registered(service.auth);
    const token = { ...caller, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, application_id: '5' };
    expect(await current({ ...token, scopes: ['identify'] })).toEqual({
      ...user,
      email: null,
      password_last_changed_at: null,
    });
    expect(await current({ ...token, scopes: ['email', 'identify'] })).toMatchObject({ email: user?.email });
  });

  test('hides an unverified address from access tokens, if configured', async () => {
    const strict = await startAuth('auth_users_verified', { config: { verified_email_only: true } });
    try {
      const { user, caller } = await registered(strict.auth);
      const scopes = ['email', 'identify'];
      const token = { ...caller, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, application_id: '5', scopes };
      const shown = async (who: Caller) =>
        (await strict.auth.getCurrentUser({}, { ...IN_TIME, caller: who })).user;
      expect(await shown(token)).toMatchObject({ email: null, verified: false });
      expect(await shown(caller), 'a session').toEqual(user);
      await strict.db.query('UPDATE accounts SET verified = true WHERE id = $1', [user?.id]);
      expect(await shown(token)).toMatchObject({ email: user?.email, verified: true });
      expect(await shown({ ...token, scopes: ['identify'] })).toMatchObject({ email: null, verified: true });
    } finally {
      await strict.close();
    }
  });

  test.each<[string, Partial<Caller>]>([
    ['that is no ID', { account_id: '12x' }],
    ['with a NUL', { account_id: 'a\0b' }],
    ['beyond all IDs', { account_id: '9223372036854775808' }],
  ])('is refused to an account %s', async (_, changes) => {
    const { caller } = await registered(service.auth);
    expect(await faultOf(current({ ...caller, ...changes }))).toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  test('is refused without a caller, and for a deleted account', async () => {
    const gone = {
      ...anonymous,
      kind: CallerKind.CALLER_KIND_SESSION,
      account_id: '404',
      credential_id: '1',
    };
    for (const caller of [anonymous, gone]) {
      expect(await faultOf(current(caller))).toMatchObject({ reason: 'UNAUTHORIZED' });
    }
  });

  test('for 200 concurrent callers is the account of each', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => registered(service.auth)));
    const callers = Array.from({ length: 200 }, (_, index) => people[index % 4]?.caller ?? anonymous);
    const found = await Promise.all(callers.map(current));
    expect(found.map((user) => user?.id)).toEqual(callers.map((caller) => caller.account_id));
  });
});

describe('public users', () => {
  test('have the public members and no others', async () => {
    const { user_id, user } = await registered(service.auth, { global_name: 'Alan' });
    expect(await users(user_id)).toEqual([
      {
        id: user_id,
        username: user?.username,
        discriminator: '0',
        global_name: 'Alan',
        avatar: null,
        bot: false,
      },
    ]);
  });

  test('are returned once each; unknown IDs are left out', async () => {
    const one = await registered(service.auth);
    const two = await registered(service.auth);
    const found = await users(one.user_id, '0', 'none', '', '9223372036854775808', two.user_id, one.user_id);
    expect(found.map(({ id }) => id).sort()).toEqual([one.user_id, two.user_id].sort());
    expect(await users()).toEqual([]);
  });

  test('are limited to a thousand per request', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => String(9_000 + index));
    expect(await users(...ids.slice(1))).toEqual([]);
    expect(await faultOf(users(...ids))).toMatchObject({ reason: 'BAD_REQUEST' });
  });
});
