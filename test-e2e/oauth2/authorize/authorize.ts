import { describe, expect, it } from 'vitest';
import type { Reply } from '../../support/api.ts';
import { freshAddress } from '../../support/people.ts';
import { raw, request } from '../../support/raw.ts';
import type { TestStack } from '../../support/stack.ts';

const ANY = 'client_id=1&scope=identify&response_type=code&redirect_uri=https%3A%2F%2Fclient.test%2Fcallback';

/** Arbitrary queries. Without prompt=none the server does not parse them. */
const QUERIES = [
  ANY,
  `${ANY}&state=x&prompt=consent&code_challenge=y&code_challenge_method=S256&guild_id=1&channel_id=2`,
  'permissions=8&disable_guild_select=true&guild_id=1',
  'client_id=&scope=&redirect_uri=&state=&prompt=',
  'client_id=0x1f&scope=nonsense&redirect_uri=javascript:alert(1)&response_type=token',
  'scope=identify+email%20guilds%2Bbot&state=a+b%20c',
  'scope=identify&scope=email&client_id=1&client_id=2',
  'state=%0d%0aSet-Cookie:%20x=y&redirect_uri=%0d%0aLocation:%20https://evil.test',
  'state=%00&client_id=%00',
  'state=%E2%9C%93%F0%9F%98%80&unknown=kept',
  'state=%7e%7E~%2e.%41A',
  "state=!$'()*,;:@/?[]{}|^`\\",
  'redirect_uri=//evil.test&prompt=NONE',
  'redirect_uri=https://evil.test/&prompt=login',
  'prompt=none%20',
  'prompt=%20none',
  'PROMPT=none',
  'state=%zz&x=%',
  'state=%ff%fe',
  'state',
  '=x',
  '&&',
  `state=${'x'.repeat(10_000)}`,
];

export function authorize(stack: TestStack, webApp: string): void {
  const get = async (query: string, credential?: string): Promise<Reply> => {
    const api = stack.api.from(freshAddress());
    return (credential === undefined ? api : api.as(credential)).get(`/oauth2/authorize${query}`);
  };

  describe('GET /oauth2/authorize without prompt=none', () => {
    it('redirects to the consent page with the query unchanged', async () => {
      for (const query of QUERIES) {
        // fetch would re-encode the query
        const line = `GET /api/v1/oauth2/authorize?${query}`;
        const reply = await raw(stack.url, request(line, [`X-Forwarded-For: ${freshAddress()}`]));
        expect([query, reply.status, reply.text]).toEqual([query, 302, '']);
        expect(reply.headers.get('location')).toBe(`${webApp}/oauth2/authorize?${query}`);
      }
    });

    it('redirects without a query, and with any credential', async () => {
      for (const credential of [undefined, '', 'Bearer x', `Bearer gth_${'A'.repeat(36)}`, 'Bot 1.x']) {
        const bare = await get('', credential);
        expect([bare.status, bare.text]).toEqual([302, '']);
        expect(bare.headers.get('location')).toMatch(new RegExp(`^${webApp}/oauth2/authorize\\??$`));
        const reply = await get(`?${ANY}`, credential);
        expect(reply.headers.get('location')).toBe(`${webApp}/oauth2/authorize?${ANY}`);
      }
    });

    it('keeps every printable character of state', async () => {
      for (const state of [PRINTABLE, 'ä€😀\u200b']) {
        const query = new URLSearchParams({ client_id: '1', state });
        const location = new URL((await get(`?${query}`)).headers.get('location') ?? '');
        expect(Object.fromEntries(location.searchParams)).toEqual({ client_id: '1', state });
      }
    });
  });
}

/** Every printable ASCII character. */
export const PRINTABLE = String.fromCharCode(...Array.from({ length: 95 }, (_, n) => 32 + n));
