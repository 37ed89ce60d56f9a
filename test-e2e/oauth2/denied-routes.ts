import { describe, expect, it } from 'vitest';
import { bodyOf } from '../support/expect-status.ts';
import { createGuild, createWebhook, freshAddress } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { exchange, type TokenPair } from './calls.ts';
import { newCode, newOauthClient, REDIRECT_URI } from './consent.ts';

/** Routes for sessions, or for sessions and bots. Placeholders stand for the user's own objects. */
const ROUTES = [
  'POST /auth/verify/resend',
  'POST /auth/logout',
  'GET /auth/sessions',
  'POST /auth/sessions/logout',
  'POST /auth/sudo',
  'PATCH /users/@me',
  'POST /users/@me/delete',
  'GET /users/@me/sudo/mfa-methods',
  'POST /users/@me/sudo/webauthn/authentication-options',
  'POST /users/@me/mfa/totp/enable',
  'POST /users/@me/mfa/totp/disable',
  'POST /users/@me/mfa/backup-codes',
  'GET /users/@me/mfa/webauthn/credentials',
  'POST /users/@me/mfa/webauthn/credentials',
  'POST /users/@me/mfa/webauthn/credentials/registration-options',
  'PATCH /users/@me/mfa/webauthn/credentials/x',
  'DELETE /users/@me/mfa/webauthn/credentials/x',
  'GET /users/{user}',
  'POST /oauth2/applications',
  'GET /oauth2/applications/@me',
  'GET /oauth2/applications/{application}',
  'PATCH /oauth2/applications/{application}',
  'DELETE /oauth2/applications/{application}',
  'GET /oauth2/applications/{application}/public',
  'POST /oauth2/applications/{application}/client-secret/reset',
  'POST /oauth2/applications/{application}/bot/reset-token',
  'PATCH /oauth2/applications/{application}/bot',
  'POST /oauth2/authorize/consent',
  'POST /oauth2/authorize/refuse',
  'GET /oauth2/@me/authorizations',
  'DELETE /oauth2/@me/authorizations/{application}',
  'POST /oauth2/@me/authorizations/revoke',
  'POST /guilds',
  'PATCH /guilds/{guild}',
  'DELETE /guilds/{guild}',
  'DELETE /users/@me/guilds/{guild}',
  'POST /guilds/{guild}/roles',
  'PATCH /guilds/{guild}/roles',
  'PATCH /guilds/{guild}/roles/{guild}',
  'DELETE /guilds/{guild}/roles/{guild}',
  'GET /guilds/{guild}/channels',
  'POST /guilds/{guild}/channels',
  'PATCH /guilds/{guild}/channels',
  'GET /channels/{channel}',
  'PATCH /channels/{channel}',
  'DELETE /channels/{channel}',
  'PUT /channels/{channel}/permissions/{guild}',
  'DELETE /channels/{channel}/permissions/{guild}',
  'GET /channels/{channel}/slowmode',
  'GET /users/@me/channels',
  'POST /users/@me/channels',
  'PUT /channels/{channel}/recipients/{user}',
  'DELETE /channels/{channel}/recipients/{user}',
  'POST /channels/{channel}/messages',
  'GET /channels/{channel}/messages',
  'GET /channels/{channel}/messages/1',
  'PATCH /channels/{channel}/messages/1',
  'DELETE /channels/{channel}/messages/1',
  'GET /guilds/{guild}/audit-logs',
  'GET /guilds/{guild}/members',
  'GET /guilds/{guild}/members/{user}',
  'PATCH /guilds/{guild}/members/@me',
  'PATCH /guilds/{guild}/members/{user}',
  'DELETE /guilds/{guild}/members/{user}',
  'PUT /guilds/{guild}/members/{user}/roles/{guild}',
  'DELETE /guilds/{guild}/members/{user}/roles/{guild}',
  'GET /channels/{channel}/invites',
  'POST /channels/{channel}/invites',
  'POST /invites/x',
  'DELETE /invites/x',
  'GET /guilds/{guild}/webhooks',
  'GET /channels/{channel}/webhooks',
  'POST /channels/{channel}/webhooks',
  'GET /webhooks/{webhook}',
  'PATCH /webhooks/{webhook}',
  'DELETE /webhooks/{webhook}',
];

/** Routes for bots only. To others they answer as to an unknown caller. */
const FOR_BOTS = ['GET /gateway/bot', 'GET /applications/@me'];

export function deniedRoutes(stack: TestStack): void {
  describe('an access token with every scope', () => {
    it('is denied on every other route, with any body, and changes nothing', async () => {
      const client = await newOauthClient(stack.api);
      const fixture = await createGuild(client.person);
      const { webhook } = await createWebhook(fixture, stack.api);
      const scope = 'identify email guilds connections bot';
      const form = { code: await newCode(client, { scope }), redirect_uri: REDIRECT_URI };
      const { access_token } = bodyOf<TokenPair>(await exchange(stack.api, client, form));
      const made = { name: 'Own' };
      const own = bodyOf<{ id: string }>(await client.person.api.post('/oauth2/applications', made));
      const ids: Readonly<Record<string, string>> = {
        user: client.person.user.id,
        application: own.id,
        guild: fixture.guild.id,
        channel: fixture.channel.id,
        webhook: webhook.id,
      };
      const send = (route: string, body?: unknown) => {
        const [method = '', path = ''] = route.split(' ');
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
        const headers = { 'content-type': 'application/json' };
        const api = stack.api.from(freshAddress()).as(`Bearer ${access_token}`);
        return api.send(method, filled, body === undefined ? {} : { body, headers });
      };
      const good = { password: client.person.password, name: 'taken', all: true, content: 'x' };
      for (const route of ROUTES)
        for (const body of route.startsWith('GET') ? [undefined] : [undefined, good, '{']) {
          const reply = await send(route, body);
          const { code } = reply.json<{ code: string }>();
          expect([route, reply.status, code]).toEqual([route, 403, 'ACCESS_DENIED']);
        }
      for (const route of FOR_BOTS) {
        const reply = await send(route);
        const { code } = reply.json<{ code: string }>();
        expect([route, reply.status, code]).toEqual([route, 401, 'UNAUTHORIZED']);
      }
      const guild = bodyOf<{ name: string }>(await client.person.api.get(`/guilds/${fixture.guild.id}`));
      expect(guild.name).toBe(fixture.guild.name);
      bodyOf(await client.person.api.get(`/oauth2/applications/${own.id}`));
    });
  });
}
