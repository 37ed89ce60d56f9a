import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { bodyOf } from '../support/expect-status.ts';
import { newGuild } from '../support/guilds.ts';
import type { BackupCode, CurrentUser, Guild, ListedGuild, Role } from '../support/objects.ts';
import { createGuild, freshAddress } from '../support/people.ts';
import { png } from '../support/png.ts';
import type { TestStack } from '../support/stack.ts';
import { exchange, expectOauthError, type TokenPair } from './calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';
import { grantTokens } from './grant-tokens.ts';

const SCOPES = ['bot', 'connections', 'email', 'guilds', 'identify'] as const;
const SUBSETS = Array.from({ length: 2 ** SCOPES.length - 1 }, (_, n) =>
  SCOPES.filter((_scope, bit) => ((n + 1) >> bit) & 1),
);

/** The routes and fields that each scope of an access token grants. */
export function accessTokenScopes(stack: TestStack): void {
  let client: OauthClient;
  let guild: Guild;
  let foreign: Guild;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
    ({ guild } = await createGuild(client.person));
    foreign = (await newGuild(stack.api)).guild;
  });

  const holder = async (scope: string, of = client): Promise<Api> =>
    stack.api.from(freshAddress()).as(`Bearer ${(await grantTokens(stack.api, of, scope)).access_token}`);
  const expectMissing = (reply: Reply, scope: string) => {
    expectError(reply, 403, 'MISSING_OAUTH_SCOPE');
    expect(reply.json<{ required_scope: string }>().required_scope).toBe(scope);
  };
  /** The user's identity fields, which two routes share. */
  const identity = ({ user, username }: OauthClient['person']) => ({
    id: user.id,
    username: user.global_name ?? username,
    discriminator: '0',
    global_name: user.global_name ?? username,
    avatar: null,
  });
  const address = (scopes: readonly string[]) =>
    scopes.includes('email') ? { email: client.person.email, verified: true } : {};

  describe.each(SUBSETS.map((scopes) => [scopes.join(' '), scopes] as const))(
    'an access token for %s',
    (scope, scopes) => {
      const has = (name: (typeof SCOPES)[number]) => scopes.includes(name);

      it('grants exactly its scopes on the seven operations', async () => {
        const api = await holder(scope);
        const { person, application, client_id } = client;
        const current = bodyOf<{ expires: string }>(await api.get('/oauth2/@me'));
        expect(current).toEqual({
          application: {
            id: client_id,
            name: application.name,
            icon: null,
            description: null,
            bot_public: true,
            bot_require_code_grant: false,
            flags: 0,
          },
          scopes: [...scopes],
          expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ...(has('identify') ? { user: { ...identity(person), ...address(scopes) } } : {}),
        });
        const lifetime = (Date.parse(current.expires) - Date.now()) / 1000;
        expect(lifetime).toBeGreaterThan(604_800 - 120);
        expect(lifetime).toBeLessThanOrEqual(604_800 + 1);

        const userInfo = await api.get('/oauth2/userinfo');
        const me = await api.get('/users/@me');
        if (has('identify')) {
          const expected = { sub: person.user.id, ...identity(person), ...address(scopes) };
          expect(bodyOf(userInfo)).toEqual(expected);
          expect(userInfo.headers.get('cache-control')).toContain('no-store');
          expect(bodyOf(me)).toMatchObject({
            id: person.user.id,
            email: has('email') ? person.email : null,
          });
        } else {
          expectError(userInfo, 403, 'MISSING_OAUTH_SCOPE');
          expect(Object.keys(userInfo.json<object>()).sort()).toEqual(['code', 'error', 'message']);
          expectMissing(me, 'identify');
        }
        const connections = await api.get('/users/@me/connections');
        if (has('connections')) expect(bodyOf(connections)).toEqual([]);
        else expectMissing(connections, 'connections');
      });

      it('shows guilds as its user sees them, with the scope guilds only', async () => {
        const api = await holder(scope);
        const paths = ['/users/@me/guilds', `/guilds/${guild.id}`, `/guilds/${guild.id}/roles`] as const;
        const [list, one, roles] = [
          await api.get(paths[0]),
          await api.get(paths[1]),
          await api.get(paths[2]),
        ];
        const others = [`/guilds/${foreign.id}`, `/guilds/${foreign.id}/roles`, '/guilds/1', '/guilds/x'];
        if (!has('guilds')) {
          for (const reply of [list, one, roles]) expectMissing(reply, 'guilds');
          for (const path of others) expectMissing(await api.get(path), 'guilds');
          return;
        }
        const bySession = client.person.api;
        expect(bodyOf<ListedGuild[]>(list)).toEqual(bodyOf(await bySession.get(paths[0])));
        expect(bodyOf<Guild>(one)).toEqual(bodyOf(await bySession.get(paths[1])));
        expect(bodyOf<Role[]>(roles)).toEqual(bodyOf(await bySession.get(paths[2])));
        for (const path of others) {
          const [reply, asSession] = [await api.get(path), await bySession.get(path)];
          expect([reply.status, reply.text]).toEqual([asSession.status, asSession.text]);
          expect(reply.status).toBeGreaterThanOrEqual(400);
        }
      });
    },
  );

  describe('an access token', () => {
    it('hides the account’s security settings, and the avatar in the OAuth2 routes', async () => {
      const other = await newOauthClient(stack.api);
      const { api, password, user, username, email } = other.person;
      const withEmail = await holder('identify email', other);
      const without = await holder('identify', other);
      const secret = newSecret();
      bodyOf<{ backup_codes: BackupCode[] }>(
        await api.post('/users/@me/mfa/totp/enable', { secret, code: totp(secret), password }),
      );
      const avatar = `data:image/png;base64,${png(2, 128).toString('base64')}`;
      bodyOf(
        await api.send('PATCH', '/users/@me', { body: { global_name: 'Ada Lovelace', avatar, bio: 'x' } }),
      );
      const seen = bodyOf<CurrentUser>(await api.get('/users/@me'));
      expect(seen).toMatchObject({ mfa_enabled: true, authenticator_types: [expect.anything()] });
      expect(seen.avatar).not.toBeNull();
      const neutral = {
        ...seen,
        mfa_enabled: false,
        authenticator_types: [],
        password_last_changed_at: null,
        premium_type: 0,
      };
      expect(bodyOf(await withEmail.get('/users/@me'))).toEqual(neutral);
      expect(bodyOf(await without.get('/users/@me'))).toEqual({ ...neutral, email: null });

      const face = {
        id: user.id,
        username: 'Ada Lovelace',
        discriminator: '0',
        global_name: 'Ada Lovelace',
        avatar: null,
      };
      const info = { sub: user.id, ...face };
      expect(bodyOf(await without.get('/oauth2/userinfo'))).toEqual(info);
      expect(bodyOf(await withEmail.get('/oauth2/userinfo'))).toEqual({ ...info, email, verified: true });
      expect(bodyOf<{ user: object }>(await without.get('/oauth2/@me')).user).toEqual(face);
      bodyOf(await api.send('PATCH', '/users/@me', { body: { global_name: null } }));
      const renamed = bodyOf<{ username: string }>(await without.get('/oauth2/userinfo'));
      expect([username, 'Ada Lovelace'], 'null removes the name or is ignored').toContain(renamed.username);
    });

    it('stops working when its account is deleted', async () => {
      const other = await newOauthClient(stack.api);
      const { api, password } = other.person;
      const pair = await grantTokens(stack.api, other, 'identify email guilds connections');
      const code = await newCode(other);
      const token = stack.api.from(freshAddress()).as(`Bearer ${pair.access_token}`);
      expect((await api.post('/users/@me/delete', { password })).status).toBe(204);
      for (const path of ['/oauth2/userinfo', '/oauth2/@me'])
        expectOauthError(await token.get(path), 401, 'invalid_token');
      for (const path of ['/users/@me', '/users/@me/guilds', '/users/@me/connections'])
        expectError(await token.get(path), 401, 'UNAUTHORIZED');
      const refresh = { grant_type: 'refresh_token', refresh_token: pair.refresh_token };
      for (const form of [refresh, { code, redirect_uri: REDIRECT_URI }])
        expectOauthError(await exchange(stack.api, other, form), 400, 'invalid_grant');
    });

    it('keeps working after a refresh and a logout of its user', async () => {
      const other = await newOauthClient(stack.api);
      const pair = await grantTokens(stack.api, other, 'identify');
      const form = { grant_type: 'refresh_token', refresh_token: pair.refresh_token };
      const renewed = bodyOf<TokenPair>(await exchange(stack.api, other, form));
      expect((await other.person.api.post('/auth/logout')).status).toBe(204);
      for (const { access_token } of [pair, renewed]) {
        const api = stack.api.from(freshAddress()).as(`Bearer ${access_token}`);
        expect(bodyOf(await api.get('/users/@me'))).toMatchObject({ id: other.person.user.id });
      }
    });
  });
}
