import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/api.ts';
import { bodyOf } from '../support/expect-status.ts';
import { freshAddress } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import type { TestStack } from '../support/stack.ts';
import { callbackOf, exchange } from './calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';

/** Unusual and malformed authorization requests. */
export function oddAuthorizations(stack: TestStack): void {
  let client: OauthClient;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
    const form = { code: await newCode(client), redirect_uri: REDIRECT_URI };
    bodyOf(await exchange(stack.api, client, form));
  });

  /** Sends the query byte for byte; fetch would re-encode it. */
  const authorize = (query: string | Uint8Array, lines: string[] = []): Promise<Reply> => {
    const about = [`X-Forwarded-For: ${freshAddress()}`, ...lines];
    const [head, tail] = request('GET /api/v1/oauth2/authorize?QUERY', about).split('QUERY');
    return raw(
      stack.url,
      Buffer.concat([Buffer.from(head ?? ''), Buffer.from(query), Buffer.from(tail ?? '')]),
    );
  };
  const signedIn = () => `Authorization: Bearer ${client.person.token}`;
  const silent = (members: string) =>
    `prompt=none&client_id=${client.client_id}&scope=identify&redirect_uri=${encodeURIComponent(REDIRECT_URI)}${members}`;
  const locationOf = (reply: Reply, what: string): URL => {
    expect([what, reply.status, reply.text]).toEqual([what, 302, '']);
    const url = new URL(reply.headers.get('location') ?? '');
    expect([stack.url, 'https://client.test'], what).toContain(url.origin);
    return url;
  };

  describe('an unusual authorization request', () => {
    it('redirects by the settings, not by the request’s host headers', async () => {
      const hosts = ['X-Forwarded-Host: evil.test', 'Forwarded: host=evil.test', 'X-Forwarded-Proto: ftp'];
      for (const line of [...hosts, 'Referer: https://evil.test/', 'Origin: https://evil.test'])
        for (const query of ['client_id=1', 'prompt=none&client_id=1&redirect_uri=https://evil.test/'])
          expect(locationOf(await authorize(query, [line]), line).origin).toBe(stack.url);
      const bytes = [
        'GET /api/v1/oauth2/authorize?client_id=1 HTTP/1.1',
        'Host: evil.test',
        'Connection: close',
        '',
        '',
      ].join('\r\n');
      expect(locationOf(await raw(stack.url, bytes), 'Host').origin).toBe(stack.url);
      const absolute = bytes.replace('GET ', 'GET http://evil.test').replace('Host: evil.test', 'Host: x');
      const reply = await raw(stack.url, absolute);
      if (reply.status === 302) locationOf(reply, 'absolute');
      else expect(reply.status).toBeLessThan(500);
    });

    it('with invalid encoding is redirected', async () => {
      const states = ['%ff', '%zz', '%', '%00', '%ed%a0%80', '%c0%80'].map((value) => `state=${value}`);
      const plain = [...states, '%ff=%ff'].flatMap((one) => [one, silent(`&${one}`), silent(`&x=1;${one}`)]);
      for (const query of plain) locationOf(await authorize(query), query);
      for (const query of plain) locationOf(await authorize(query, [signedIn()]), query);
      for (const bytes of [[0xe2, 0x9c, 0x93], [0xff], [0xc3]]) {
        const query = Buffer.concat([Buffer.from(silent('&state=')), Buffer.from(bytes)]);
        const reply = await authorize(query, [signedIn()]);
        if (reply.status !== 302) expect(reply.status).toBe(400);
      }
    });

    it('with duplicate parameters is not redirected elsewhere', async () => {
      const registered = `redirect_uri=${encodeURIComponent(REDIRECT_URI)}`;
      const evil = 'redirect_uri=https%3A%2F%2Fevil.test%2F';
      const base = `prompt=none&client_id=${client.client_id}&scope=identify&state=s`;
      for (const pair of [`${registered}&${evil}`, `${evil}&${registered}`, `${registered}&redirect_uri[]=x`])
        for (const lines of [[], [signedIn()]]) locationOf(await authorize(`${base}&${pair}`, lines), pair);
      for (const twice of ['prompt=none', 'prompt=login', 'client_id=1', 'scope=guilds', 'state=t'])
        for (const query of [silent(`&${twice}`), `${twice}&${silent('')}`])
          locationOf(await authorize(query, [signedIn()]), twice);
      const arrays = silent('&scope[]=x&state[a]=b&__proto__[x]=y&constructor=z');
      locationOf(await authorize(arrays, [signedIn()]), 'brackets');
    });

    it('may be long', async () => {
      const state = 'x'.repeat(50_000);
      for (const query of [`state=${state}`, silent(`&state=${state}`)]) {
        const url = locationOf(await authorize(query, [signedIn()]), 'long');
        expect(url.searchParams.get('state')).toBe(state);
      }
      const tooLong = await authorize(`state=${'x'.repeat(100_000)}`);
      expect([414, 431]).toContain(tooLong.status);
    });

    it('keeps the query of a redirect URI unchanged', async () => {
      const uris = [
        'https://client.test/cb?x=%2f+%41&&y',
        'https://client.test/cb?',
        'https://client.test/cb?code=own',
      ];
      const other = await newOauthClient(stack.api, { redirect_uris: uris });
      for (const uri of uris) {
        const query = new URLSearchParams({
          prompt: 'none',
          client_id: other.client_id,
          scope: 'identify',
          redirect_uri: uri,
          state: 'a b',
        });
        for (const lines of [[], [`Authorization: Bearer ${other.person.token}`]]) {
          const location = (await authorize(String(query), lines)).headers.get('location') ?? '';
          const before = uri.endsWith('?') ? '' : '&';
          expect(location.startsWith(`${uri}${before}error=`), location).toBe(true);
        }
        const body = { client_id: other.client_id, redirect_uri: uri, state: 'a b' };
        const refused = await other.person.api.post('/oauth2/authorize/refuse', body);
        const { href, searchParams } = callbackOf(refused);
        expect(href.startsWith(`${uri}${uri.endsWith('?') ? '' : '&'}error=access_denied&state=`)).toBe(true);
        expect(searchParams.get('state')).toBe('a b');
      }
    });

    it('by HEAD is 404, since it could issue a code', async () => {
      const reply = await raw(stack.url, request('HEAD /api/v1/oauth2/authorize?client_id=1&state=s'));
      expect(reply.status).toBe(404);
    });

    it('needs no response_type', async () => {
      const url = locationOf(await authorize(silent('&state=s'), [signedIn()]), 'no response type');
      expect(url.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    });
  });
}
