import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { bodyOf } from '../../support/expect-status.ts';
import type { Guild, Member, PrivateChannel } from '../../support/objects.ts';
import { createGuild, newcomer } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import {
  codeOf,
  credentialsOf,
  exchange,
  expectOauthError,
  type OwnApplication,
  postForm,
} from '../calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from '../consent.ts';
import { grantTokens } from '../grant-tokens.ts';

export function applicationSecrets(stack: TestStack): void {
  const introspect = (client: OauthClient, token: string) =>
    postForm(stack.api, '/oauth2/introspect', { ...credentialsOf(client), token });

  describe('the client secret', () => {
    it('stops working at once when it is reset; tokens and codes keep working', async () => {
      const client = await newOauthClient(stack.api);
      const { owner, application, person } = client;
      const pair = await grantTokens(stack.api, client, 'identify guilds');
      const code = await newCode(client);
      const path = `/oauth2/applications/${client.client_id}/client-secret/reset`;
      const reply = await owner.api.post(path);
      const reset = bodyOf<OwnApplication>(reply);
      expect(reply.headers.get('cache-control')).toContain('no-store');
      const { bot, client_secret: _, ...rest } = application;
      const { token: __, ...shownBot } = bot;
      expect(reset).toEqual({
        ...rest,
        bot: shownBot,
        client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      });
      expect(reset.client_secret).not.toBe(client.client_secret);
      for (const route of ['/oauth2/token', '/oauth2/introspect', '/oauth2/token/revoke']) {
        const dead = await postForm(stack.api, route, { ...credentialsOf(client), token: 'x' });
        expectOauthError(dead, 401, 'invalid_client_secret');
      }
      const renewed = { ...client, client_secret: reset.client_secret };
      bodyOf(await exchange(stack.api, renewed, { code, redirect_uri: REDIRECT_URI }));
      expect((await introspect(renewed, pair.access_token)).json()).toMatchObject({ active: true });
      const me = await stack.api.as(`Bearer ${pair.access_token}`).get('/users/@me');
      expect(me.json()).toMatchObject({ id: person.user.id });
      bodyOf(await stack.api.as(`Bot ${application.bot.token}`).get('/users/@me'));
      const again = bodyOf<OwnApplication>(await owner.api.post(path));
      expect(again.client_secret).not.toBe(reset.client_secret);
    });
  });

  describe('the bot token', () => {
    it('is reset by its owner with a sudo proof; the old one stops working at once', async () => {
      const { owner, application } = await newOauthClient(stack.api);
      const path = `/oauth2/applications/${application.id}/bot/reset-token`;
      const me = (token: string) => stack.api.as(`Bot ${token}`).get('/users/@me');
      expectError(await owner.api.post(path, {}), 403, 'SUDO_MODE_REQUIRED');
      expectError(await owner.api.post(path), 403, 'SUDO_MODE_REQUIRED');
      expectError(await owner.api.post(path, { password: 'wrong password' }), 400, 'INVALID_FORM_BODY', {
        password: 'INVALID_PASSWORD',
      });
      bodyOf(await me(application.bot.token));
      const reply = await owner.api.post(path, { password: owner.password });
      expect(reply.headers.get('cache-control')).toContain('no-store');
      const { token, bot } = bodyOf<{ token: string; bot: object }>(reply);
      expect(token).toMatch(new RegExp(`^${application.id}\\.`));
      const { token: old, ...same } = application.bot;
      expect(bot).toEqual(same);
      expectError(await me(old), 401, 'UNAUTHORIZED');
      bodyOf(await me(token));
      bodyOf(await owner.api.post('/auth/sudo', { password: owner.password }));
      const second = bodyOf<{ token: string }>(await owner.api.post(path, {}));
      expectError(await me(token), 401, 'UNAUTHORIZED');
      bodyOf(await me(second.token));
    });
  });

  describe('a deleted application', () => {
    it('is removed with its bot, the bot’s memberships, its codes and tokens', async () => {
      const client = await newOauthClient(stack.api);
      const watcher = await newOauthClient(stack.api);
      const { owner, person, application, client_id } = client;
      const pair = await grantTokens(stack.api, client, 'identify guilds');
      const code = await newCode(client);
      const { guild } = await createGuild(person);
      const install = (target: object) =>
        person.api.post('/oauth2/authorize/consent', { client_id, scope: 'bot', ...target });
      codeOf(await install({ guild_id: guild.id, permissions: '8' }));
      const recipients = [owner.user.id, (await newcomer(stack.api)).user.id];
      const group = bodyOf<PrivateChannel>(await person.api.post('/users/@me/channels', { recipients }));
      codeOf(await install({ channel_id: group.id }));
      const asBot = stack.api.as(`Bot ${application.bot.token}`);
      bodyOf(await asBot.get(`/guilds/${guild.id}`));

      const path = `/oauth2/applications/${client_id}`;
      const deleted = await owner.api.send('DELETE', path);
      expect([deleted.status, deleted.text]).toEqual([204, '']);

      expectError(await asBot.get('/users/@me'), 401, 'UNAUTHORIZED');
      expectError(await asBot.get('/applications/@me'), 401, 'UNAUTHORIZED');
      const asToken = stack.api.as(`Bearer ${pair.access_token}`);
      expectError(await asToken.get('/users/@me'), 401, 'UNAUTHORIZED');
      for (const route of ['/oauth2/userinfo', '/oauth2/@me'])
        expectOauthError(await asToken.get(route), 401, 'invalid_token');
      for (const token of [pair.access_token, pair.refresh_token])
        expect((await introspect(watcher, token)).text).toBe('{"active":false}');
      const refresh = { grant_type: 'refresh_token', refresh_token: pair.refresh_token };
      for (const form of [refresh, { code, redirect_uri: REDIRECT_URI }])
        expectOauthError(await exchange(stack.api, client, form), 400, 'invalid_client');
      for (const form of [refresh, { code, redirect_uri: REDIRECT_URI }])
        expectOauthError(await exchange(stack.api, watcher, form), 400, 'invalid_grant');
      const body = { client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
      const consent = await person.api.post('/oauth2/authorize/consent', body);
      expectOauthError(consent, 400, 'invalid_client');
      expect((await person.api.get('/oauth2/@me/authorizations')).json()).toEqual([]);

      for (const gone of [path, `${path}/public`])
        expectError(await owner.api.get(gone), 404, 'UNKNOWN_APPLICATION');
      expectError(await owner.api.send('DELETE', path), 404, 'UNKNOWN_APPLICATION');
      expect((await owner.api.get('/oauth2/applications/@me')).json()).toEqual([]);
      const bulk = { application_ids: [client_id] };
      const revoked = await person.api.post('/oauth2/@me/authorizations/revoke', bulk);
      expectError(revoked, 404, 'UNKNOWN_APPLICATION');
      await expect
        .poll(async () => {
          const members = bodyOf<Member[]>(await person.api.get(`/guilds/${guild.id}/members`));
          const there = bodyOf<PrivateChannel>(await person.api.get(`/channels/${group.id}`)).recipients;
          return [...members.map(({ user }) => user.id), ...there.map(({ id }) => id)];
        })
        .not.toContain(client_id);
      expect(bodyOf<Guild>(await person.api.get(`/guilds/${guild.id}`)).member_count).toBe(1);
    });

    it('is also the result of deleting its owner’s account', async () => {
      const client = await newOauthClient(stack.api);
      const { owner, person, application, client_id } = client;
      const pair = await grantTokens(stack.api, client, 'identify guilds');
      const { guild } = await createGuild(person);
      const body = { client_id, scope: 'bot', guild_id: guild.id, permissions: '8' };
      codeOf(await person.api.post('/oauth2/authorize/consent', body));
      const gone = await owner.api.post('/users/@me/delete', { password: owner.password });
      expect(gone.status, gone.text).toBe(204);
      const asBot = stack.api.as(`Bot ${application.bot.token}`);
      expectError(await asBot.get('/users/@me'), 401, 'UNAUTHORIZED');
      const path = `/oauth2/applications/${client_id}/public`;
      await expect.poll(async () => (await person.api.get(path)).status).toBe(404);
      const userInfo = await stack.api.as(`Bearer ${pair.access_token}`).get('/oauth2/userinfo');
      expectOauthError(userInfo, 401, 'invalid_token');
      expectOauthError(await introspect(client, 'x'), 400, 'invalid_client');
      await expect
        .poll(async () => bodyOf<Member[]>(await person.api.get(`/guilds/${guild.id}/members`)))
        .toHaveLength(1);
    });
  });
}
