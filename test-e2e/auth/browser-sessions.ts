import { describe, expect, it } from 'vitest';
import type { SessionAnswer } from '../support/objects.ts';
import { freshAddress, newcomer, type Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

const ROUTE = '/auth/browser-session';
const FOREIGN = { origin: 'https://evil.example' };

/** A browser keeps an account signed in by a cookie. */
export function browserSessions(stack: TestStack): void {
  const own = () => ({ origin: stack.url });

  /** Sets the cookie of a person's session, and returns it as a Cookie header. */
  async function cookieOf({ api }: Person, body?: object): Promise<string> {
    const { status, headers } = await api.post(ROUTE, body, own());
    expect(status).toBe(204);
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  }
  const resume = (cookie: string, headers: Record<string, string> = own()) =>
    stack.api.from(freshAddress()).send('POST', `${ROUTE}/resume`, { headers: { cookie, ...headers } });
  const statusOf = async (cookie: string) => (await resume(cookie)).status;

  describe('the sign-in cookie', () => {
    it('holds a secret that resumes the session, and is no credential elsewhere', async () => {
      const person = await newcomer(stack.api);
      const set = (await person.api.post(ROUTE, undefined, own())).headers.get('set-cookie') ?? '';
      expect(set).toMatch(/^gatehouse=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
      const kept = await person.api.post(ROUTE, { stay_signed_in: true });
      expect(kept.headers.get('set-cookie')).toMatch(/; Max-Age=7776000$/);
      const [cookie = ''] = set.split(';');
      const resumed = await resume(cookie);
      expect(resumed.json<SessionAnswer>()).toMatchObject({ token: person.token, user_id: person.user.id });
      expect(resumed.headers.get('set-cookie')).toBeNull();
      const [, secret = ''] = cookie.split('=');
      expect((await stack.api.get('/users/@me', { cookie })).status).toBe(401);
      expect((await stack.api.as(`Bearer ${secret}`).get('/users/@me')).status).toBe(401);
      expect((await stack.api.post('/auth/logout', undefined, { cookie })).status).toBe(401);
    });

    it('is neither set, cleared nor read for another origin', async () => {
      const person = await newcomer(stack.api);
      const cookie = await cookieOf(person);
      for (const [verb, path] of [
        ['POST', ROUTE],
        ['DELETE', ROUTE],
        ['POST', `${ROUTE}/resume`],
      ] as const) {
        const { status, headers } = await person.api.send(verb, path, { headers: { cookie, ...FOREIGN } });
        expect([path, status, headers.get('set-cookie')]).toEqual([path, path === ROUTE ? 403 : 401, null]);
      }
      expect(await statusOf(cookie)).toBe(200);
      expect((await resume(cookie, {})).status).toBe(401);
    });

    it('is refused when it is doubled, huge, of another name, stolen after signing out, or of a deleted account', async () => {
      const [person, deleted] = [await newcomer(stack.api), await newcomer(stack.api)];
      const cookie = await cookieOf(person, { stay_signed_in: true });
      const lost = await cookieOf(deleted, { stay_signed_in: true });
      for (const wrong of [
        `${cookie}; ${cookie}`,
        `gatehouse=planted; ${cookie}`,
        `${cookie}${'A'.repeat(20_000)}`,
        cookie.replace('gatehouse', 'Gatehouse'),
        cookie.replace('gatehouse', '__Host-gatehouse'),
        'gatehouse=',
      ])
        expect(await statusOf(wrong), wrong.slice(0, 80)).toBe(401);
      expect(await statusOf(`${'a=b; '.repeat(5_000)}${cookie}`)).toBe(200);
      expect((await person.api.post('/auth/logout')).status).toBe(204);
      expect(await statusOf(cookie)).toBe(401);
      const proof = { password: deleted.password };
      expect((await deleted.api.post('/users/@me/delete', proof)).status).toBe(204);
      expect(await statusOf(lost)).toBe(401);
    });

    it('is cleared with and without a live session, and ends the session’s cookies', async () => {
      const person = await newcomer(stack.api);
      const cookies = [await cookieOf(person), await cookieOf(person, { stay_signed_in: true })];
      const cleared = (await person.api.send('DELETE', ROUTE, { headers: own() })).headers;
      expect(cleared.get('set-cookie')).toBe('gatehouse=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
      expect(await Promise.all(cookies.map(statusOf))).toEqual([401, 401]);
      expect((await person.api.get('/users/@me')).status).toBe(200);
      const anonymous = await stack.api.send('DELETE', ROUTE);
      expect([anonymous.status, anonymous.headers.get('set-cookie')]).toEqual([
        204,
        cleared.get('set-cookie'),
      ]);
    });
  });
}
