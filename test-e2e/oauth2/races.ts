import { describe, expect, it } from 'vitest';
import { guildFor } from '../chat/guild-fixture.ts';
import { expectError } from '../support/expect-error.ts';
import type { Member, PrivateChannel } from '../support/objects.ts';
import { newcomer, type Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { codeOf, credentialsOf, exchange, newApplication, ok, postForm, type TokenPair } from './calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';

const ROUNDS = 16;

/** Things that are ended while somebody makes use of them. */
export function races(suite: TestSuite): void {
  const newClientOf = async (owner: Person): Promise<OauthClient> => {
    const application = await newApplication(owner, { redirect_uris: [REDIRECT_URI] });
    const { id: client_id, client_secret } = application;
    return { client_id, client_secret, application, owner, person: owner };
  };
  const grant = async (client: OauthClient): Promise<TokenPair> =>
    ok(await exchange(suite.api, client, { code: await newCode(client), redirect_uri: REDIRECT_URI }));
  const refresh = (client: OauthClient, { refresh_token }: TokenPair) =>
    exchange(suite.api, client, { grant_type: 'refresh_token', refresh_token });
  const remove = ({ owner, client_id }: OauthClient) =>
    owner.api.send('DELETE', `/oauth2/applications/${client_id}`);
  const inRounds = <T>(round: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: ROUNDS }, (_, n) => round(n)));

  const byApplication = (client: OauthClient, { access_token: token }: TokenPair) =>
    postForm(suite.api, '/oauth2/token/revoke', { ...credentialsOf(client), token });
  const byUser = ({ client_id, person }: OauthClient, _pair: TokenPair) =>
    person.api.post('/oauth2/@me/authorizations/revoke', { application_ids: [client_id] });
  const expectDead = async (by: OauthClient, { access_token, refresh_token }: TokenPair) => {
    for (const token of [access_token, refresh_token]) {
      const known = { ...credentialsOf(by), token };
      expect((await postForm(suite.api, '/oauth2/introspect', known)).text).toBe('{"active":false}');
    }
  };

  describe('an application that is deleted while', () => {
    const installAndRemove = async (owner: Person, target: object): Promise<void> => {
      const client = await newClientOf(owner);
      const body = { client_id: client.client_id, scope: 'bot', ...target };
      const [installed, removed] = await Promise.all([
        owner.api.post('/oauth2/authorize/consent', body),
        remove(client),
      ]);
      expect(removed.status, removed.text).toBe(204);
      if (installed.status !== 200) expect([400, 404], installed.text).toContain(installed.status);
    };

    it('its bot is installed into a guild leaves no member behind', async () => {
      const owner = await newcomer(suite.api);
      const { guild } = await guildFor(owner);
      await inRounds(() => installAndRemove(owner, { guild_id: guild.id, permissions: '8' }));
      await expect
        .poll(async () => ok<Member[]>(await owner.api.get(`/guilds/${guild.id}/members`)))
        .toHaveLength(1);
    });

    it('its bot is installed into a group DM leaves no recipient behind', async () => {
      const owner = await newcomer(suite.api);
      const recipients = [(await newcomer(suite.api)).user.id, (await newcomer(suite.api)).user.id];
      const groups = await inRounds(async () => {
        const { id } = ok<PrivateChannel>(await owner.api.post('/users/@me/channels', { recipients }));
        await installAndRemove(owner, { channel_id: id });
        return id;
      });
      const count = async (id: string) =>
        ok<PrivateChannel>(await owner.api.get(`/channels/${id}`)).recipients.length;
      await expect.poll(() => Promise.all(groups.map(count))).toEqual(groups.map(() => 2));
    });

    it('a code is exchanged leaves no live token', async () => {
      const watcher = await newOauthClient(suite.api);
      const owner = await newcomer(suite.api);
      await inRounds(async () => {
        const client = await newClientOf(owner);
        const form = { code: await newCode(client), redirect_uri: REDIRECT_URI };
        const [exchanged] = await Promise.all([exchange(suite.api, client, form), remove(client)]);
        if (exchanged.status !== 200) {
          expect(exchanged.status, exchanged.text).toBe(400);
          return;
        }
        const pair = exchanged.json<TokenPair>();
        await expectDead(watcher, pair);
        const me = await suite.api.as(`Bearer ${pair.access_token}`).get('/users/@me');
        expectError(me, 401, 'UNAUTHORIZED');
      });
      expect((await owner.api.get('/oauth2/@me/authorizations')).json()).toEqual([]);
    });
  });

  describe('a grant that is revoked while it is refreshed', () => {
    it.each([
      ['application', byApplication],
      ['user', byUser],
    ])('by its %s leaves nothing alive', async (_whom, revoke) => {
      const owner = await newcomer(suite.api);
      await inRounds(async () => {
        const client = await newClientOf(owner);
        const pair = await grant(client);
        const [renewed, revoked] = await Promise.all([refresh(client, pair), revoke(client, pair)]);
        expect([200, 204], revoked.text).toContain(revoked.status);
        await expectDead(client, pair);
        if (renewed.status === 200) await expectDead(client, renewed.json<TokenPair>());
        else expectError(renewed, 400, 'INVALID_GRANT');
      });
    });
  });

  describe('a secret that is reset by sixteen at the same time', () => {
    it('is the one of one answer', async () => {
      const client = await newClientOf(await newcomer(suite.api));
      const path = `/oauth2/applications/${client.client_id}/client-secret/reset`;
      const replies = await inRounds(() => client.owner.api.post(path));
      const secrets = replies.map((reply) => ok<{ client_secret: string }>(reply).client_secret);
      const statuses = await Promise.all(
        secrets.map(async (client_secret) => {
          const known = { client_id: client.client_id, client_secret, token: 'x' };
          return (await postForm(suite.api, '/oauth2/introspect', known)).status;
        }),
      );
      expect(statuses.toSorted()).toEqual([200, ...Array(15).fill(401)]);
    });

    it('is the one of one answer, of a bot too', async () => {
      const { owner, client_id } = await newClientOf(await newcomer(suite.api));
      const path = `/oauth2/applications/${client_id}/bot/reset-token`;
      const replies = await inRounds(() => owner.api.post(path, { password: owner.password }));
      const tokens = replies.map((reply) => ok<{ token: string }>(reply).token);
      const statuses = await Promise.all(
        tokens.map(async (token) => (await suite.api.as(`Bot ${token}`).get('/users/@me')).status),
      );
      expect(statuses.toSorted()).toEqual([200, ...Array(15).fill(401)]);
    });
  });

  it('an account that is deleted while it consents leaves no code that is good', async () => {
    const client = await newOauthClient(suite.api);
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const person = await newcomer(suite.api);
        const body = { client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
        const [consented, deleted] = await Promise.all([
          person.api.post('/oauth2/authorize/consent', body),
          person.api.post('/users/@me/delete', { password: person.password }),
        ]);
        expect(deleted.status, deleted.text).toBe(204);
        if (consented.status !== 200) {
          expectError(consented, 401, 'UNAUTHORIZED');
          return;
        }
        const form = { code: codeOf(consented), redirect_uri: REDIRECT_URI };
        const exchanged = await exchange(suite.api, client, form);
        if (exchanged.status !== 200) {
          expectError(exchanged, 400, 'INVALID_GRANT');
          return;
        }
        const { access_token } = exchanged.json<TokenPair>();
        const userInfo = await suite.api.as(`Bearer ${access_token}`).get('/oauth2/userinfo');
        expectError(userInfo, 401, 'INVALID_TOKEN');
      }),
    );
  });
}
