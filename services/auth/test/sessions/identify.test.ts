import { faultOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AuthUnderTest,
  IN_TIME,
  registered,
  sessionCaller,
  startAuth,
  tokenOf,
  whoIs,
} from '../auth.ts';

const { CALLER_KIND_SESSION: SESSION, CALLER_KIND_BOT: BOT } = CallerKind;

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_identify');
});
afterAll(() => service.close());

async function newBot(applicationId: string): Promise<string> {
  const owner = await registered(service.auth);
  const request = { application_id: applicationId, name: 'Helper', owner_id: owner.user_id };
  return (await service.auth.createBot(request, IN_TIME)).token;
}

test('a session and a bot are identified, each as its own kind only', async () => {
  const person = await registered(service.auth);
  const bot = await newBot('1001');
  expect(await whoIs(service.auth, SESSION, person.token)).toBe(person.user_id);
  expect(await whoIs(service.auth, BOT, bot)).toBe('1001');

  expect(await whoIs(service.auth, BOT, person.token)).toBeUndefined();
  expect(await whoIs(service.auth, SESSION, bot)).toBeUndefined();
  for (const kind of [CallerKind.CALLER_KIND_UNSPECIFIED, CallerKind.CALLER_KIND_ACCESS_TOKEN]) {
    expect(await whoIs(service.auth, kind, person.token)).toBeUndefined();
    expect(await whoIs(service.auth, kind, bot)).toBeUndefined();
  }
});

test('the credential has an ID of its own that is not secret', async () => {
  const person = await registered(service.auth);
  const { rows } = await service.db.query('SELECT id FROM sessions WHERE account_id = $1', [person.user_id]);
  expect(rows).toEqual([{ id: person.caller.credential_id }]);
});

describe('no caller is identified by', () => {
  const good = `gth_${'a'.repeat(36)}`;
  test.each([
    ['unknown', good],
    ['empty', ''],
    ['one character less', good.slice(0, -1)],
    ['one more', `${good}a`],
    ['another prefix', good.replace('gth_', 'GTH_')],
    ['a stranger character', `${good.slice(0, -1)}-`],
    ['a blank before', ` ${good}`],
    ['a line feed after', `${good}\n`],
    ['a NUL', `${good.slice(0, -1)}\0`],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['quotes and braces', `gth_{"\\x00",'${'a'.repeat(24)}`],
  ])('a session token that is %s', async (_what, token) => {
    expect(await whoIs(service.auth, SESSION, token)).toBeUndefined();
  });

  test('a bot token with any part changed', async () => {
    const token = await newBot('2001');
    await newBot('2002');
    const secret = token.slice('2001.'.length);
    const wrong = [
      `2002.${secret}`, // another application's ID
      `02001.${secret}`,
      `+2001.${secret}`,
      `9223372036854775808.${secret}`,
      `.${secret}`,
      secret,
      `2001.${secret.slice(1)}`,
      `2001.${secret}A`,
      `2001.${secret}=`,
      `2001.${secret.slice(1)}+`,
      `2001:${secret}`,
      `2001.${'A'.repeat(43)}`,
    ];
    for (const attempt of wrong) expect(await whoIs(service.auth, BOT, attempt), attempt).toBeUndefined();
    expect(await whoIs(service.auth, BOT, token)).toBe('2001');
  });
});

test('a malformed token is looked up, too, so that it takes as long', async () => {
  for (const [kind, token] of [
    [SESSION, ''],
    [SESSION, 'garbage'],
    [BOT, 'garbage'],
    [CallerKind.CALLER_KIND_ACCESS_TOKEN, `gth_${'a'.repeat(36)}`],
  ] as const) {
    const blocker = await service.db.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE sessions, bot_tokens IN ACCESS EXCLUSIVE MODE');
      const looked = whoIs(service.auth, kind, token);
      await untilWaitingForLock(blocker, 1);
      await blocker.query('COMMIT');
      expect(await looked).toBeUndefined();
    } finally {
      blocker.release();
    }
  }
});

describe('logging out', () => {
  test('ends the session at once, at every replica, and no other session', async () => {
    const elsewhere = await service.replica();
    const person = await registered(service.auth);
    const other = await service.auth.login(
      { email: person.user?.email ?? '', password: 'correct horse battery' },
      IN_TIME,
    );
    expect(await whoIs(elsewhere, SESSION, person.token)).toBe(person.user_id);

    await service.auth.logout({}, { ...IN_TIME, caller: person.caller });
    expect(await whoIs(elsewhere, SESSION, person.token)).toBeUndefined();
    expect(await whoIs(service.auth, SESSION, person.token)).toBeUndefined();
    expect(await whoIs(service.auth, SESSION, tokenOf(other))).toBe(person.user_id);
  });

  test('succeeds when repeated', async () => {
    const { caller } = await registered(service.auth);
    await Promise.all([1, 2].map(() => service.auth.logout({}, { ...IN_TIME, caller })));
  });

  test("never ends another account's session", async () => {
    const person = await registered(service.auth);
    const stranger = await registered(service.auth);
    const caller = { ...stranger.caller, credential_id: person.caller.credential_id };
    await service.auth.logout({}, { ...IN_TIME, caller });
    expect(await whoIs(service.auth, SESSION, person.token)).toBe(person.user_id);
  });

  test('needs a session', async () => {
    const bot = { ...anonymous, kind: BOT, account_id: '1', credential_id: '1', application_id: '1' };
    for (const caller of [anonymous, bot]) {
      expect(await faultOf(service.auth.logout({}, { ...IN_TIME, caller }))).toMatchObject({
        reason: 'UNAUTHORIZED',
      });
    }
  });
});

test('500 concurrent calls of all kinds get the right responses', async () => {
  const people = await Promise.all([1, 2, 3, 4, 5].map(() => registered(service.auth)));
  const bot = await newBot('3001');
  const calls = Array.from({ length: 500 }, (_, index) => {
    const person = people[index % people.length];
    if (person === undefined) throw new Error('the person is undefined');
    return [
      { kind: SESSION, token: person.token, whose: person.user_id },
      { kind: BOT, token: bot, whose: '3001' },
      { kind: SESSION, token: `gth_${String(index).padStart(36, '0')}`, whose: undefined },
      { kind: SESSION, token: 'garbage', whose: undefined },
    ][index % 4] as { kind: CallerKind; token: string; whose: string | undefined };
  });
  const answers = await Promise.all(calls.map(({ kind, token }) => whoIs(service.auth, kind, token)));
  expect(answers).toEqual(calls.map(({ whose }) => whose));
});

test('a deleted account has no live credential', async () => {
  const person = await registered(service.auth);
  const token = (
    await service.auth.createBot({ application_id: '4001', name: 'B', owner_id: person.user_id }, IN_TIME)
  ).token;
  await service.db.query('DELETE FROM accounts WHERE id = $1', [person.user_id]);
  expect(await whoIs(service.auth, SESSION, person.token)).toBeUndefined();
  expect(await whoIs(service.auth, BOT, token)).toBeUndefined();
  await expect(sessionCaller(service.auth, person.token)).rejects.toThrow('not live');
});
