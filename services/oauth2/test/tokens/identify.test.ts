import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings, whoIs } from '../requests.ts';
import { type AccessToken, insertAccessToken } from '../rows.ts';

let service: Oauth2UnderTest;
let application_id: string;
beforeAll(async () => {
  service = await startOauth2('oauth2_identify');
  application_id = await newApplication();
});
afterAll(() => service.close());

async function newApplication(): Promise<string> {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  return application?.id ?? '';
}

const newToken = (account_id: string, scopes?: string[]): Promise<AccessToken> =>
  insertAccessToken(service.db, { application_id, account_id, ...(scopes && { scopes }) });

test('an access token identifies account, application and scopes', async () => {
  const { token, id } = await newToken('42', ['email', 'identify']);
  const expected = { account_id: '42', credential_id: id, application_id, scopes: ['email', 'identify'] };
  expect(await whoIs(service.oauth2, token)).toEqual(expected);
  expect(await whoIs(await service.replica(), token)).toEqual(expected);
});

describe('no caller is identified by', () => {
  test.each([
    ['unknown', 'A'.repeat(43)],
    ['empty', ''],
    ['one character less', 'A'.repeat(42)],
    ['one more', 'A'.repeat(44)],
    ['padded', `${'A'.repeat(43)}=`],
    ['base64, not base64url', `${'A'.repeat(42)}+`],
    ['a NUL', `${'A'.repeat(42)}\0`],
    ['a session token', `gth_${'a'.repeat(36)}`],
    ['a bot token', `1.${'A'.repeat(43)}`],
    ['quotes and braces', `{"\\x00",'${'a'.repeat(34)}`],
    ['a megabyte', 'A'.repeat(1_000_000)],
  ])('a token that is %s', async (_what, token) => {
    expect(await whoIs(service.oauth2, token)).toBeUndefined();
  });

  test('a live token with any part changed', async () => {
    const { token } = await newToken('43');
    const last = token.endsWith('A') ? 'B' : 'A';
    for (const wrong of [` ${token}`, `${token}\n`, token.slice(1), `${token.slice(0, -1)}${last}`]) {
      expect(await whoIs(service.oauth2, wrong)).toBeUndefined();
    }
    expect(await whoIs(service.oauth2, token)).toBeDefined();
  });

  test('a token that expired a millisecond ago', async () => {
    const { token, id } = await newToken('44');
    const expireIn = (interval: string) =>
      service.db.query('UPDATE access_tokens SET expires_at = now() + $2::interval WHERE id = $1', [
        id,
        interval,
      ]);
    await expireIn('1 minute');
    expect(await whoIs(service.oauth2, token)).toBeDefined();
    await expireIn('-1 millisecond');
    expect(await whoIs(service.oauth2, token)).toBeUndefined();
  });

  test('a token that was revoked at another replica a moment ago', async () => {
    const { token, id } = await newToken('45');
    const elsewhere = await service.replica();
    expect(await whoIs(elsewhere, token)).toBeDefined();
    await service.db.query('DELETE FROM access_tokens WHERE id = $1', [id]);
    expect(await whoIs(elsewhere, token)).toBeUndefined();
  });

  test('a token of a deleted application', async () => {
    const deleted = await newApplication();
    const { token } = await insertAccessToken(service.db, { application_id: deleted, account_id: '46' });
    expect(await whoIs(service.oauth2, token)).toBeDefined();
    await service.db.query('DELETE FROM applications WHERE id = $1', [deleted]);
    expect(await whoIs(service.oauth2, token)).toBeUndefined();
  });
});

test('a malformed token is looked up, too, so that it takes as long', async () => {
  for (const token of ['', 'garbage', `gth_${'a'.repeat(36)}`]) {
    const blocker = await service.db.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE access_tokens IN ACCESS EXCLUSIVE MODE');
      const looked = whoIs(service.oauth2, token);
      await untilWaitingForLock(blocker, 1);
      await blocker.query('COMMIT');
      expect(await looked).toBeUndefined();
    } finally {
      blocker.release();
    }
  }
});

test('500 concurrent calls get the right responses', async () => {
  const tokens = await Promise.all(['51', '52', '53'].map((account_id) => newToken(account_id)));
  const calls = Array.from({ length: 500 }, (_, index) => {
    const live = tokens[index % 5];
    if (live !== undefined) return { token: live.token, whose: String(51 + (index % 5)) };
    return { token: index % 5 === 3 ? String(index).padStart(43, '0') : 'garbage', whose: undefined };
  });
  const answers = await Promise.all(calls.map(({ token }) => whoIs(service.oauth2, token)));
  expect(answers.map((answer) => answer?.account_id)).toEqual(calls.map(({ whose }) => whose));
});
