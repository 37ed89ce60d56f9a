import { faultOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { botCaller, IN_TIME, whoIs } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, newCode } from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_token_holder');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

/** The caller of a new access token of the user, as sent by the edge. */
async function holder(scope: string, of = client): Promise<Caller> {
  const pair = await exchange(fixture.oauth2, of, await newCode(fixture.oauth2, of, { scope }));
  const identity = await whoIs(fixture.oauth2, pair.access_token);
  if (identity === undefined) throw new Error('the new token is not live');
  return { ...anonymous, ...identity, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN };
}

const userInfo = (caller: Caller) => fixture.oauth2.getUserInfo({}, { ...IN_TIME, caller });
const current = (caller: Caller) => fixture.oauth2.getCurrentAuthorization({}, { ...IN_TIME, caller });
const account = async () =>
  (await fixture.auth.getCurrentUser({}, { ...IN_TIME, caller: client.person })).user ?? undefined;

/** The user as in both responses, without `sub`. */
async function shown() {
  const user = await account();
  const { id = '', username = '' } = user ?? {};
  return { id, username, discriminator: '0', global_name: username, avatar: null };
}

describe('userinfo', () => {
  test('has the display name for both names, and the email address only with email', async () => {
    const user = await shown();
    const without = { ...user, sub: user.id, email: null, verified: null };
    expect(await userInfo(await holder('identify'))).toEqual(without);
    const email = (await account())?.email;
    expect(email).toMatch(/@/);
    expect(await userInfo(await holder('identify email'))).toEqual({ ...without, email, verified: true });
  });

  test('has the global name if the account has one', async () => {
    const { user_id: account_id } = await fixture.auth.register(
      { email: 'ann@example.com', username: 'ann', password: 'correct horse battery', global_name: 'Ann B.' },
      IN_TIME,
    );
    const named = { ...client, person: { ...client.person, account_id } };
    expect(await userInfo(await holder('identify', named))).toMatchObject({
      username: 'Ann B.',
      global_name: 'Ann B.',
    });
  });

  test('without identify is 403, and does not name the scope', async () => {
    const fault = await faultOf(userInfo(await holder('email guilds')));
    expect(fault).toMatchObject({ reason: 'MISSING_OAUTH_SCOPE', members: {} });
  });
});

describe('the current authorization', () => {
  test('has application, scopes in alphabetical order, expiry, and the user only with identify', async () => {
    const caller = await holder('guilds connections bot');
    const { rows } = await fixture.db.query<{ expires_at: Date }>(
      'SELECT expires_at FROM access_tokens WHERE id = $1',
      [caller.credential_id],
    );
    expect(await current(caller)).toEqual({
      application: {
        id: client.client_id,
        name: 'Application',
        icon: null,
        description: null,
        bot_public: true,
        bot_require_code_grant: false,
        flags: 0,
      },
      scopes: ['bot', 'connections', 'guilds'],
      expires: rows[0]?.expires_at.toISOString(),
      user: null,
    });
  });

  test('shows the user as userinfo does', async () => {
    const user = await shown();
    expect((await current(await holder('identify'))).user).toEqual({ ...user, email: null, verified: null });
    const { user: withEmail } = await current(await holder('identify email'));
    expect(withEmail).toEqual({ ...user, email: (await account())?.email, verified: true });
    expect((await current(await holder('email'))).user).toBeNull();
  });

  test('of a token that expired or was revoked meanwhile is invalid_token', async () => {
    const [expired, revoked] = [await holder('guilds'), await holder('guilds')];
    await fixture.db.query("UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE id = $1", [
      expired.credential_id,
    ]);
    await fixture.db.query('DELETE FROM access_tokens WHERE id = $1', [revoked.credential_id]);
    for (const caller of [expired, revoked])
      expect(await faultOf(current(caller))).toMatchObject({ reason: 'INVALID_TOKEN' });
  });
});

describe('userinfo and the current authorization', () => {
  test('refuse every other credential, and none, with invalid_token', async () => {
    const { application_id } = await holder('identify');
    const others = [anonymous, client.person, botCaller(application_id)];
    for (const caller of others)
      for (const call of [userInfo, current])
        expect(await faultOf(call(caller))).toMatchObject({
          status: 16,
          reason: 'INVALID_TOKEN',
          message: expect.stringMatching(/^invalid_token/),
        });
  });

  test('are invalid_token once the user is gone', async () => {
    const caller = await holder('identify');
    const gone = { ...caller, account_id: '404' };
    for (const call of [userInfo, current])
      expect(await faultOf(call(gone))).toMatchObject({ reason: 'INVALID_TOKEN' });
  });
});
