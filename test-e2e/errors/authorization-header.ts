import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { Application } from '../support/objects.ts';
import { newcomer, type Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

export function authorizationHeader(stack: TestStack): void {
  describe('the Authorization header', () => {
    let person: Person;
    let application: Application;
    beforeAll(async () => {
      person = await newcomer(stack.api);
      application = (await person.api.post('/oauth2/applications', { name: 'x' })).json<Application>();
    });

    it('accepts a session token bare or as Bearer, and a bot token as Bot', async () => {
      for (const good of [`Bearer ${person.token}`, person.token, `Bot ${application.bot.token}`]) {
        expect((await stack.api.as(good).get('/users/@me')).status).toBe(200);
      }
    });

    it('in any other form, or with an invalid credential, is 401 with the same body', async () => {
      const { token } = person;
      const bot = application.bot.token;
      const gone = await newcomer(stack.api);
      expect((await gone.api.post('/auth/logout')).status).toBe(204);
      const headers = [
        `Bot ${token}`,
        `Basic ${btoa(`${application.id}:${application.client_secret}`)}`,
        `Bearer ${bot}`,
        bot,
        `Bot ${application.id}.`,
        `Bot 1.${bot.split('.')[1]}`,
        `Bearer ${application.client_secret}`,
        `Bearer gth_${'A'.repeat(36)}`,
        `Bearer ${gone.token}`,
      ];
      const missing = await stack.api.get('/users/@me');
      expectError(missing, 401, 'UNAUTHORIZED');
      for (const header of headers) {
        const reply = await stack.api.as(header).get('/users/@me');
        expect([header, reply.status, reply.text]).toEqual([header, 401, missing.text]);
      }
    });

    it('of a valid bot is 403 ACCESS_DENIED on routes for users; of an invalid bot 401', async () => {
      const userOnly: [string, string][] = [
        ['POST', '/oauth2/applications'],
        ['GET', '/oauth2/applications/@me'],
        ['GET', `/oauth2/applications/${application.id}`],
        ['POST', '/auth/logout'],
      ];
      for (const [method, path] of userOnly) {
        const send = (api: Api) => api.send(method, path, method === 'POST' ? { body: { name: 'x' } } : {});
        expectError(await send(stack.api.as(`Bot ${application.bot.token}`)), 403, 'ACCESS_DENIED');
        expectError(await send(stack.api.as(`Bot ${application.bot.token}x`)), 401, 'UNAUTHORIZED');
        expectError(await send(stack.api), 401, 'UNAUTHORIZED');
      }
    });

    it('stops working after logout, for that session only', async () => {
      const { email, password, api } = await newcomer(stack.api);
      const login = await stack.api.from('192.0.2.77').post('/auth/login', { email, password });
      const second = stack.api.as(`Bearer ${login.json<{ token: string }>().token}`);
      const out = await second.send('POST', '/auth/logout', {
        body: '',
        headers: { 'content-type': 'application/json' },
      });
      expect([out.status, out.text]).toEqual([204, '']);
      expectError(await second.get('/users/@me'), 401, 'UNAUTHORIZED');
      expectError(await second.post('/auth/logout'), 401, 'UNAUTHORIZED');
      expect((await api.get('/users/@me')).status).toBe(200);
    });
  });
}
