import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import type { Session, SessionAnswer } from '../support/objects.ts';
import { freshAddress, type Person, register } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** An account lists and ends its sessions. */
export function sessions(stack: TestStack): void {
  /** An account with `count` sessions, the first from its registration. */
  async function withSessions(count: number): Promise<{ person: Person; apis: [Api, ...Api[]]; ip: string }> {
    const ip = freshAddress();
    const home = stack.api.from(ip);
    const person = await register(home);
    const { email, password } = person;
    const apis: [Api, ...Api[]] = [person.api];
    while (apis.length < count) {
      const answer = await home.post('/auth/login', { email, password }, { 'user-agent': FIREFOX });
      apis.push(home.as(`Bearer ${answer.json<SessionAnswer>().token}`));
    }
    return { person, apis, ip };
  }
  const list = async (api: Api) => (await api.get('/auth/sessions')).json<Session[]>();
  const alive = async (apis: Api[]) =>
    Promise.all(apis.map(async (api) => (await api.get('/users/@me')).status === 200));

  describe('an account’s sessions', () => {
    it('are listed newest first, with client and masked address', async () => {
      const { apis, ip } = await withSessions(2);
      const [newest, first, ...more] = await list(apis[0]);
      expect(more).toEqual([]);
      expect([newest?.current, first?.current]).toEqual([false, true]);
      expect(newest?.client_info).toEqual({ os: 'Linux', browser: expect.stringContaining('Firefox') });
      expect(newest?.masked_ip).not.toBe(ip);
      expect(newest?.masked_ip).toContain(ip.split('.').slice(0, 2).join('.'));
      expect(newest?.approx_last_used_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(newest?.id_hash).not.toBe(first?.id_hash);
    });

    it('end at once: named ones, all others, or all', async () => {
      const { apis } = await withSessions(4);
      const [one, , , four] = apis;
      const hash = (await list(one)).find((_, index) => index === 1)?.id_hash; // the third one; the list is newest first
      const end = (api: Api, body: object) => api.post('/auth/sessions/logout', body);
      expect((await end(one, { session_id_hashes: [hash, 'unknown'] })).status).toBe(204);
      expect(await alive(apis)).toEqual([true, true, false, true]);
      if (four === undefined) throw new Error('there is no fourth session');
      expect((await end(four, { others: true })).status).toBe(204);
      expect(await alive(apis)).toEqual([false, false, false, true]);
      expect((await end(four, { all: true })).status).toBe(204);
      expect(await alive(apis)).toEqual([false, false, false, false]);
    });
  });
}
