import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { Application } from '../support/objects.ts';
import { newcomer, newHook, type Person } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import type { TestSuite } from '../support/suite.ts';

export function credentials(suite: TestSuite): void {
  describe('the Authorization header', () => {
    let person: Person;
    let application: Application;
    beforeAll(async () => {
      person = await newcomer(suite.api);
      application = (await person.api.post('/oauth2/applications', { name: 'x' })).json<Application>();
    });

    it('takes a session token bare or as Bearer, and a bot token as Bot', async () => {
      for (const good of [`Bearer ${person.token}`, person.token, `Bot ${application.bot.token}`]) {
        expect((await suite.api.as(good).get('/users/@me')).status).toBe(200);
      }
    });

    it('of any other form, and any credential that is not live, is 401 with one and the same body', async () => {
      const { token } = person;
      const bot = application.bot.token;
      const gone = await newcomer(suite.api);
      expect((await gone.api.post('/auth/logout')).status).toBe(204);
      const headers = [
        '',
        'Bearer',
        'Bot',
        `bearer ${token}`,
        `BEARER ${token}`,
        `Bearer  ${token}`,
        `Bearer\t${token}`,
        `Bearer:${token}`,
        `Bearer ${token} x`,
        `Bearer ${token},${token}`,
        `Bearer ${token.slice(0, -1)}`,
        `Bearer ${token}A`,
        `Bearer ${token.toLowerCase()}`,
        `Bearer Bearer ${token}`,
        `Token ${token}`,
        `Bot ${token}`,
        `Basic ${btoa(`${application.id}:${application.client_secret}`)}`,
        `Bearer ${bot}`,
        bot,
        `bot ${bot}`,
        `Bot  ${bot}`,
        `Bot ${bot}x`,
        `Bot ${application.id}.`,
        `Bot 1.${bot.split('.')[1]}`,
        `Bot ${'9'.repeat(30)}.x`,
        'Bot .',
        `Bearer ${application.client_secret}`,
        `Bearer gth_${'A'.repeat(36)}`,
        `Bearer ${gone.token}`,
        `Bearer ${'x'.repeat(4000)}`,
        '%00',
        "' OR 1=1 --",
      ];
      const missing = await suite.api.get('/users/@me');
      expectError(missing, 401, 'UNAUTHORIZED');
      for (const header of headers) {
        const reply = await suite.api.as(header).get('/users/@me');
        expect([header, reply.status, reply.text]).toEqual([header, 401, missing.text]);
      }
    });

    it('sent twice is malformed, even twice the same', async () => {
      const line = `Authorization: Bearer ${person.token}`;
      const twice = await raw(suite.url, request('GET /api/v1/users/@me', [line, line]));
      expectError(twice, 401, 'UNAUTHORIZED');
      const second = await raw(suite.url, request('GET /api/v1/users/@me', [line, 'Authorization: x']));
      expect(second.text).toBe(twice.text);
      const { path } = await newHook(suite.api);
      const body = '{"content":"x"}';
      const execute = request(`POST /api/v1${path}`, [line, line, 'Content-Type: application/json'], body);
      expect((await raw(suite.url, execute)).status, 'where none is needed it counts as none').toBe(204);
    });

    it('with bytes no credential has is 401', async () => {
      const bytes = Buffer.from(
        request('GET /api/v1/users/@me', ['Authorization: Bearer gth_\xe9\xff\x80']),
        'latin1',
      );
      expectError(await raw(suite.url, bytes), 401, 'UNAUTHORIZED');
    });

    it('of a valid bot is 403 ACCESS_DENIED where only users may, of an invalid one 401', async () => {
      const userOnly: [string, string][] = [
        ['POST', '/oauth2/applications'],
        ['GET', '/oauth2/applications/@me'],
        ['GET', `/oauth2/applications/${application.id}`],
        ['POST', '/auth/logout'],
      ];
      for (const [method, path] of userOnly) {
        const send = (api: Api) => api.send(method, path, method === 'POST' ? { body: { name: 'x' } } : {});
        expectError(await send(suite.api.as(`Bot ${application.bot.token}`)), 403, 'ACCESS_DENIED');
        expectError(await send(suite.api.as(`Bot ${application.bot.token}x`)), 401, 'UNAUTHORIZED');
        expectError(await send(suite.api), 401, 'UNAUTHORIZED');
      }
    });

    it('is looked at before the body and the IDs', async () => {
      const json = { 'content-type': 'application/json' };
      for (const path of [
        '/guilds',
        '/channels/0x1/webhooks',
        '/channels/1/messages',
        '/oauth2/applications',
      ]) {
        expectError(await suite.api.post(path, '{', json), 401, 'UNAUTHORIZED');
      }
      expectError(await suite.api.get('/guilds/abc'), 401, 'UNAUTHORIZED');
    });

    it('ends with logging out, for that session alone', async () => {
      const { email, password, api } = await newcomer(suite.api);
      const login = await suite.api.from('192.0.2.77').post('/auth/login', { email, password });
      const second = suite.api.as(`Bearer ${login.json<{ token: string }>().token}`);
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
