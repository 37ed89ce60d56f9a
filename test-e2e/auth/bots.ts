import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import type { Application } from '../support/objects.ts';
import { newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

/** Routes for bots. */
export function bots(stack: TestStack): void {
  describe('a bot', () => {
    it('reads its application and the Gateway URL', async () => {
      const { api, user } = await newcomer(stack.api);
      const made = (await api.post('/oauth2/applications', { name: 'Clock' })).json<Application>();
      const bot = stack.api.as(`Bot ${made.bot.token}`);
      const application = (await bot.get('/applications/@me')).json<Application & { owner: unknown }>();
      const { id, username, discriminator, global_name, avatar } = user;
      expect(application).toMatchObject({
        id: made.id,
        name: 'Clock',
        owner: { id, username, discriminator, global_name, avatar, bot: false },
      });
      expect(application).not.toHaveProperty('client_secret');
      expect(application.bot).not.toHaveProperty('token');
      const gateway = (await bot.get('/gateway/bot')).json<{ url: string }>();
      expect(gateway).toEqual({
        url: expect.stringMatching(/^wss?:\/\//),
        shards: 1,
        session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
      });
    });

    it('gets a new token under sudo; the old one stops working at once', async () => {
      const { api, password } = await newcomer(stack.api);
      const made = (await api.post('/oauth2/applications', { name: 'Clock' })).json<Application>();
      const path = `/oauth2/applications/${made.id}/bot/reset-token`;
      expectError(await api.post(path), 403, 'SUDO_MODE_REQUIRED');
      const reset = await api.post(path, { password });
      const { token, bot } = reset.json<{ token: string; bot: { id: string; bot: boolean } }>();
      expect([bot.id, bot.bot], reset.text).toEqual([made.id, true]);
      expectError(await stack.api.as(`Bot ${made.bot.token}`).get('/users/@me'), 401, 'UNAUTHORIZED');
      expect((await stack.api.as(`Bot ${token}`).get('/users/@me')).status).toBe(200);

      const stranger = await newcomer(stack.api);
      const theirs = await stranger.api.post(path, { password: stranger.password });
      expectError(theirs, 403, 'FORBIDDEN');
      const unknown = await api.post('/oauth2/applications/1/bot/reset-token', { password });
      expectError(unknown, 404, 'UNKNOWN_APPLICATION');
    });
  });
}
