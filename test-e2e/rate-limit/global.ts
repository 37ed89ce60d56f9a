import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import type { SessionAnswer } from '../support/objects.ts';
import { freshAddress, newcomer, newWebhook } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { burst } from './burst.ts';
import { expectGlobalDenial, isBucketDenial, isGlobalDenial } from './expect-denial.ts';

/** Requests in a burst: more than the limit admits during it. */
const MANY = 300;

export function globalLimit(stack: TestStack): void {
  /** Expects that a burst is limited to 50 a second. Returns its denials. */
  async function expectBounded(send: (n: number) => Promise<Reply>): Promise<Reply[]> {
    const { replies, seconds } = await burst(MANY, send);
    const denied = replies.filter(isGlobalDenial);
    expect(MANY - denied.length, `admitted in ${seconds.toFixed(2)} s`).toBeLessThanOrEqual(
      50 + 50 * seconds + 1,
    );
    expect(MANY - denied.length).toBeGreaterThanOrEqual(50);
    return denied;
  }

  async function expectUnbounded(send: (n: number) => Promise<Reply>): Promise<Reply[]> {
    const { replies } = await burst(MANY, send);
    expect(replies.filter(isGlobalDenial)).toHaveLength(0);
    return replies;
  }

  const visitor = () => stack.api.from(freshAddress());
  const nowhere = (api: Api) => () => api.post('/nowhere', {});

  describe('the global bucket, 50 requests a second and client', () => {
    it('denies with scope global and none of a bucket’s headers', async () => {
      const denied = await expectBounded(nowhere(visitor()));
      expect(denied.length).toBeGreaterThan(0);
      for (const reply of denied) expectGlobalDenial(reply);
    });

    it('admits again after retry_after and revokes no credential', async () => {
      const { api } = await newcomer(stack.api);
      const denied = await expectBounded(nowhere(api));
      await delay(Math.ceil(expectGlobalDenial(denied[0] as Reply) * 1000));
      expect((await api.get('/users/@me')).status).toBe(200);
    });

    it('counts unknown routes and methods, unauthorized callers and invalid bodies', async () => {
      const unmatched = visitor();
      const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
      await expectBounded((n) => unmatched.send(methods[n % 4] ?? 'PUT', '/guilds/1/nowhere'));
      const refused = visitor();
      await expectBounded(() => refused.post('/guilds', '{'));
    });

    it('counts a GET or HEAD only with an Authorization header, on any route', async () => {
      const api = visitor();
      await expectUnbounded((n) => api.send(n % 2 ? 'HEAD' : 'GET', '/nowhere'));
      await expectUnbounded(() => api.get('/users/@me'));
      const garbage = visitor().as('garbage');
      await expectBounded((n) => garbage.send(n % 2 ? 'HEAD' : 'GET', n % 3 ? '/nowhere' : '/guilds/1'));
    });

    it('does not count preflights', async () => {
      const api = visitor();
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
      const replies = await expectUnbounded(() =>
        api.send('OPTIONS', '/guilds', { headers, checked: false }),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    });

    it('does not count executing a webhook or reading its messages, with or without a credential', async () => {
      const hook = await newWebhook(stack.api);
      const { id } = await hook.say({ content: 'x' });
      const api = hook.owner.api.from(freshAddress());
      await expectUnbounded(() => api.post(`${hook.path}/codehost`, {}));
      await expectUnbounded(() => api.get(`${hook.path}/messages/${id}`));
      await expectUnbounded(() => api.post(`${hook.path}/chatcompat`, { text: 'x' }));
      await expectUnbounded(() => api.post(hook.path, { content: 'x' }));
      expect((await api.get('/users/@me')).status, 'the client’s allowance is untouched').toBe(200);
    });

    it('has no separate bucket for an invalid header', async () => {
      const api = visitor();
      await expectBounded((n) => api.as(`Bearer gth_${String(n).padStart(36, 'x')}`).post('/nowhere'));
    });

    it('is per session: two sessions of an account have one each', async () => {
      const { api, email, password } = await newcomer(stack.api);
      const login = await visitor().post('/auth/login', { email, password });
      const second = stack.api.as(login.json<SessionAnswer>().token);
      const { replies } = await burst(MANY, (n) =>
        n < MANY - 1 ? nowhere(api)() : second.get('/users/@me'),
      );
      expect(replies.some(isGlobalDenial)).toBe(true);
      expect(replies.at(-1)?.status).toBe(200);
    });

    it('follows the session, not the address it comes from', async () => {
      const { api } = await newcomer(stack.api);
      await expectBounded(() => api.from(freshAddress()).post('/nowhere'));
    });

    it('charges nothing else when it denies', async () => {
      const { api } = await newcomer(stack.api);
      const found = () => api.post('/guilds', { name: 'x' });
      const { replies } = await burst(MANY, (n) => (n % 10 ? nowhere(api)() : found()));
      const guilds = replies.filter((_, n) => n % 10 === 0);
      expect(guilds.some(isGlobalDenial), 'some guilds met the global denial').toBe(true);
      await delay(1000);
      const later = await burst(20, found);
      const founded = [...guilds, ...later.replies].filter(({ status }) => status === 200).length;
      expect(founded, 'guild:create still has its whole allowance of 10').toBeGreaterThanOrEqual(10);
    });

    it('is charged even if the route’s bucket denies', async () => {
      const { api } = await newcomer(stack.api);
      const denied = await expectBounded(() => api.post('/guilds', { name: 'x' }));
      expect(denied.length).toBeGreaterThan(0);
    });
  });

  describe('a bucket by account', () => {
    it('is shared by its sessions, not by its bot', async () => {
      const owner = await newcomer(stack.api);
      const login = await visitor().post('/auth/login', { email: owner.email, password: owner.password });
      const second = stack.api.as(login.json<SessionAnswer>().token);
      const application = await owner.api.post('/oauth2/applications', { name: 'x' });
      const bot = stack.api.as(`Bot ${application.json<{ bot: { token: string } }>().bot.token}`);
      const { replies } = await burst(15, () => owner.api.post('/guilds', { name: 'x' }));
      expect(replies.some(isBucketDenial)).toBe(true);
      expect((await second.post('/guilds', { name: 'x' })).status).toBe(429);
      expect((await bot.post('/guilds', { name: 'x' })).status).toBe(200);
    });
  });
}
