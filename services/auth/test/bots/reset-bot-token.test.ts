import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, registered, startAuth, whoIs } from '../auth.ts';

const BOT = CallerKind.CALLER_KIND_BOT;
const PASSWORD = 'correct horse battery';

let service: AuthUnderTest;
let owner: Caller;
beforeAll(async () => {
  service = await startAuth('auth_reset_bot_token');
  owner = (await registered(service.auth)).caller;
});
afterAll(() => service.close());

const createBot = (application_id: string) =>
  service.auth.createBot({ application_id, name: 'Helper', owner_id: owner.account_id }, IN_TIME);
const reset = (
  application_id: string,
  caller: Caller,
  password: string | null = PASSWORD,
  auth = service.auth,
) => auth.resetBotToken({ application_id, password }, { ...IN_TIME, caller });

test('the owner gets a new token, and the old one ends at once at every replica', async () => {
  const elsewhere = await service.replica();
  const { bot, token: old } = await createBot('1001');
  expect(await whoIs(elsewhere, BOT, old)).toBe('1001');

  const answer = await reset('1001', owner);
  expect(answer).toEqual({ token: expect.stringMatching(/^1001\.[A-Za-z0-9_-]{43}$/), bot });
  for (const auth of [elsewhere, service.auth]) {
    expect(await whoIs(auth, BOT, old)).toBeUndefined();
    expect(await whoIs(auth, BOT, answer.token)).toBe('1001');
  }
});

test('the new token is another credential, with Gateway connections and rate limits of its own', async () => {
  const { token: old } = await createBot('1002');
  const before = await service.auth.identify({ kind: BOT, token: old }, IN_TIME);
  const { token } = await reset('1002', owner);
  const after = await service.auth.identify({ kind: BOT, token }, IN_TIME);
  expect(after.identity?.account_id).toBe('1002');
  expect(after.identity?.credential_id).not.toBe(before.identity?.credential_id);
});

test('64 concurrent resets at two replicas succeed, and one token is live', async () => {
  const elsewhere = await service.replica();
  await createBot('1003');
  await service.auth.createSudoGrant({ password: PASSWORD }, { ...IN_TIME, caller: owner });
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      reset('1003', owner, null, index % 2 === 0 ? service.auth : elsewhere),
    ),
  );
  const live = await Promise.all(answers.map(({ token }) => whoIs(service.auth, BOT, token)));
  expect(live.filter((id) => id !== undefined)).toEqual(['1003']);
});

test('the audit log records it', async () => {
  await createBot('1004');
  await reset('1004', owner);
  const { rows } = await service.db.query(
    "SELECT account_id, session_id FROM security_events WHERE kind = 'bot_token.reset' AND detail = $1",
    [{ application: '1004' }],
  );
  expect(rows).toEqual([{ account_id: owner.account_id, session_id: owner.credential_id }]);
});

describe('is refused, and the token stays,', () => {
  let token: string;
  beforeAll(async () => {
    token = (await createBot('2001')).token;
  });
  const stays = async () => expect(await whoIs(service.auth, BOT, token)).toBe('2001');

  test('without proof', async () => {
    const { caller } = await registered(service.auth);
    const request = { application_id: '2002', name: 'Helper', owner_id: caller.account_id };
    const own = (await service.auth.createBot(request, IN_TIME)).token;
    expect(await faultOf(reset('2002', caller, null))).toMatchObject({ reason: 'SUDO_MODE_REQUIRED' });
    expect(await violationsOf(reset('2002', caller, 'wrong password'))).toEqual([
      'password INVALID_PASSWORD',
    ]);
    expect(await whoIs(service.auth, BOT, own)).toBe('2002');
  });

  test('if the session ends meanwhile', async () => {
    const { caller } = await registered(service.auth);
    const request = { application_id: '2003', name: 'Helper', owner_id: caller.account_id };
    const own = (await service.auth.createBot(request, IN_TIME)).token;
    const ending = await service.db.connect();
    try {
      await ending.query('BEGIN');
      await ending.query('UPDATE accounts SET flags = flags WHERE id = $1', [caller.account_id]);
      const attempt = faultOf(reset('2003', caller));
      await untilWaitingForLock(ending, 1);
      await ending.query('DELETE FROM sessions WHERE id = $1', [caller.credential_id]);
      await ending.query('COMMIT');
      expect(await attempt).toMatchObject({ reason: 'UNAUTHORIZED' });
    } finally {
      ending.release();
    }
    expect(await whoIs(service.auth, BOT, own)).toBe('2003');
  });

  test('to another account', async () => {
    const { caller } = await registered(service.auth);
    expect(await faultOf(reset('2001', caller))).toMatchObject({ reason: 'FORBIDDEN' });
    await stays();
  });

  test('to any other credential', async () => {
    const asBot = { ...owner, kind: BOT, account_id: '2001', application_id: '2001' };
    const asAccessToken = { ...owner, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN };
    for (const caller of [anonymous, asBot, asAccessToken]) {
      expect(await faultOf(reset('2001', caller))).toMatchObject({ reason: 'UNAUTHORIZED' });
    }
    await stays();
  });

  test.each(['0', '404', '9223372036854775807', '', 'abc', '-1', '9223372036854775808'])(
    'for the unknown application %j',
    async (id) => {
      expect(await faultOf(reset(id, owner))).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
    },
  );

  test('for the ID of a person', async () => {
    expect(await faultOf(reset(owner.account_id, owner))).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
  });
});
