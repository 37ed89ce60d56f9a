import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { freshAddress } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const CONSENT = '/oauth2/authorize/consent';
const REFUSE = '/oauth2/authorize/refuse';
const REVOKE = '/oauth2/@me/authorizations/revoke';

const MEMBERS = ['client_id', 'scope', 'redirect_uri', 'state'];
const OF_CONSENT = [
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'permissions',
  'guild_id',
  'channel_id',
];

/** Invalid JSON and invalid UTF-8. */
const BROKEN = [
  '['.repeat(30_000),
  `${'{"a":'.repeat(10_000)}1`,
  '{"client_id":"1"} {"client_id":"2"}',
  "{'client_id':'1'}",
  Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
  Buffer.from('{"client_id":"1"}', 'utf16le'),
  Uint8Array.from({ length: 8_192 }, (_, n) => (n * 31) % 256),
];

/** Unusual and malformed bodies, and unknown routes. */
export function oddBodies(stack: TestStack): void {
  let client: OauthClient;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
  });

  describe('an unusual body', () => {
    const good = () => ({ client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI });
    const post = (path: string, body: unknown, headers: Record<string, string> = JSON_TYPE) =>
      stack.api.from(freshAddress()).as(`Bearer ${client.person.token}`).post(path, body, headers);

    it('with NUL in a string is refused', async () => {
      const texts = ['\\u0000', 'a\\u0000b'];
      const bodies = (names: readonly string[]) =>
        names.flatMap((name) =>
          texts.map((text) => JSON.stringify({ ...good(), [name]: 'REPLACED' }).replace('REPLACED', text)),
        );
      for (const body of bodies([...MEMBERS, ...OF_CONSENT])) {
        const reply = await post(CONSENT, body);
        expect([body, reply.status]).toEqual([body, 400]);
      }
      for (const body of bodies(MEMBERS)) {
        const reply = await post(REFUSE, body);
        expect([body, reply.status]).toEqual([body, 400]);
      }
      for (const text of texts)
        for (const body of [
          `{"name":"x","redirect_uris":["https://client.test/${text}"]}`,
          `{"name":"${text}"}`,
        ])
          expectError(
            await client.owner.api.post('/oauth2/applications', body, JSON_TYPE),
            400,
            'INVALID_FORM_BODY',
          );
    });

    it('never causes a server error', async () => {
      const { client_id } = client;
      const bodies = [
        ...BROKEN,
        '{"client_id":1e999}',
        '{"__proto__":{"client_id":"1","scope":"identify"}}',
        '{"constructor":{"prototype":{}},"toString":1}',
        `{"application_ids":{"length":1,"0":"${client_id}"}}`,
      ];
      const sent = [CONSENT, REFUSE].flatMap((path) => bodies.map((body) => [path, body] as const));
      for (const [path, body] of [...sent, ...BROKEN.map((body) => [REVOKE, body] as const)]) {
        const reply = await post(path, body);
        const what = `${path} ${String(body).slice(0, 40)}`;
        expect([what, reply.status]).toEqual([what, 400]);
      }
      const encoded = await post(CONSENT, '{}', { ...JSON_TYPE, 'content-encoding': 'gzip' });
      expectError(encoded, 415, 'UNSUPPORTED_MEDIA_TYPE');
      const multipart = new FormData();
      multipart.set('client_id', client_id);
      for (const path of [CONSENT, REFUSE, REVOKE])
        expect((await stack.api.as(`Bearer ${client.person.token}`).post(path, multipart)).status).toBe(400);
      for (const path of [CONSENT, REFUSE]) {
        const padded = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`;
        expect((await post(path, padded(65_536))).status).toBe(400);
        expectError(await post(path, padded(65_537)), 413, 'PAYLOAD_TOO_LARGE');
      }
    });

    it('with __proto__ sets no members', async () => {
      const body = `{"client_id":"${client.client_id}","redirect_uri":"${REDIRECT_URI}","__proto__":{"scope":"identify"}}`;
      expectError(await post(CONSENT, body), 400, 'INVALID_SCOPE');
    });

    it('may come with any audit log reason', async () => {
      for (const reason of ['%zz', '%ff', '%00', 'x', '', '%F0%9F%98%80', 'x'.repeat(512)]) {
        const reply = await client.person.api.post('/oauth2/authorize/consent', good(), {
          'x-audit-log-reason': reason,
        });
        expect([200, 400]).toContain(reply.status);
      }
    });
  });

  describe('other methods and paths', () => {
    it('are 404', async () => {
      const api = stack.api.from(freshAddress());
      const wrong = [
        'POST /oauth2/authorize',
        'GET /oauth2/authorize/consent',
        'PUT /oauth2/token',
        'POST /oauth2/userinfo',
        'POST /oauth2/@me',
        'DELETE /oauth2/token/revoke',
        'POST /oauth2/token/',
        'GET /oauth2/authorize/',
        'GET /oauth2/Authorize',
        'POST /oauth2/revoke',
        'POST /oauth2//token',
      ];
      for (const route of wrong) {
        const [method = '', path = ''] = route.split(' ');
        expectError(await api.send(method, path, method === 'GET' ? {} : { body: '' }), 404, 'NOT_FOUND');
      }
    });

    it('allow preflights from every origin', async () => {
      for (const path of ['/oauth2/token', '/oauth2/userinfo', '/oauth2/authorize', '/oauth2/introspect']) {
        const headers = {
          origin: 'https://client.test',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, content-type',
        };
        const reply = await stack.api.send('OPTIONS', path, { headers });
        expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
        expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
      }
    });
  });
}
