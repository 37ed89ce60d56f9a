import { describe, expect, it } from 'vitest';
import { expectError, expectNotJson } from '../support/expect-error.ts';
import { freshAddress, newcomer, newHook } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import type { TestSuite } from '../support/suite.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const NOT_AN_OBJECT = [
  '',
  ' ',
  '{',
  '[]',
  '[{"content":"x"}]',
  'null',
  'true',
  '7',
  '"x"',
  '{"a":1}}',
  "{'a':1}",
  '{"a":1,}',
  'undefined',
];

export function bodies(suite: TestSuite): void {
  describe('a body that must be a JSON object', () => {
    it('and is not is refused as a whole', async () => {
      const hook = await newHook(suite.api);
      const { api } = hook.owner;
      for (const body of NOT_AN_OBJECT) {
        expectNotJson(await suite.api.post(hook.path, body, JSON_TYPE));
        expectNotJson(await api.post(`/channels/${hook.channel.id}/messages`, body, JSON_TYPE));
      }
      for (const path of ['/guilds', '/oauth2/applications', `/channels/${hook.channel.id}/webhooks`]) {
        expectNotJson(await api.post(path, '[1]', JSON_TYPE));
        expectNotJson(await api.post(path, '{"name":', JSON_TYPE));
      }
      for (const path of ['/auth/login', '/auth/register']) {
        expectNotJson(await suite.api.from(freshAddress()).post(path, '[1]', JSON_TYPE));
      }
      expectNotJson(await suite.api.send('POST', hook.path));
    });

    it('and comes under another content type is refused', async () => {
      const hook = await newHook(suite.api);
      const data = new FormData();
      data.set('payload_json', '{"content":"x"}');
      expectNotJson(await hook.execute(data));
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expectNotJson(await suite.api.post(hook.path, 'content=x', form));
      for (const type of ['text/plain', 'application/xml', 'application/json/x', ';;;', 'a/b; charset="']) {
        expect((await suite.api.post(hook.path, '<content/>', { 'content-type': type })).status, type).toBe(
          400,
        );
      }
      expect(await hook.messages()).toHaveLength(0);
    });

    it('may name its character set, hold unknown members and the names that JavaScript gives a meaning', async () => {
      const hook = await newHook(suite.api);
      const types = ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'];
      for (const type of types) {
        expect((await suite.api.post(hook.path, '{"content":"x"}', { 'content-type': type })).status).toBe(
          204,
        );
      }
      const odd =
        '{"content":"kept","__proto__":{"content":"no"},"constructor":{"prototype":{"x":1}},"toString":1,"x":[{}]}';
      expect((await suite.api.post(hook.path, odd, JSON_TYPE)).status).toBe(204);
      expect((await hook.messages())[0]?.content).toBe('kept');
    });

    it('may be nested to any depth without harm', async () => {
      const hook = await newHook(suite.api);
      const deep = (open: string, close: string) =>
        `{"content":"x","embeds":${open.repeat(40_000)}${close.repeat(40_000)}}`;
      expect((await suite.api.post(hook.path, deep('[', ']'), JSON_TYPE)).status).toBe(400);
      const unknown = `{"content":"x","unknown":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`;
      expect((await suite.api.post(hook.path, unknown, JSON_TYPE)).status).toBeLessThan(500);
      expect(
        (await suite.api.post(`${hook.path}/codehost`, unknown, { ...JSON_TYPE, 'x-codehost-event': 'push' }))
          .status,
      ).toBe(204);
      expect((await suite.api.post(`${hook.path}/chatcompat`, unknown, JSON_TYPE)).status).toBe(400);
    });

    it('is refused with a NUL byte in a string, and with half a character or bytes that are no UTF-8 never fails', async () => {
      const hook = await newHook(suite.api);
      const { api } = hook.owner;
      const nul: [string, object][] = [
        ['/guilds', { name: 'a\u0000b' }],
        ['/oauth2/applications', { name: 'a\u0000b' }],
        [`/channels/${hook.channel.id}/messages`, { content: 'a\u0000b' }],
        [`/channels/${hook.channel.id}/webhooks`, { name: 'a\u0000b' }],
        [hook.path, { content: 'a\u0000b' }],
        [hook.path, { content: 'x', username: 'a\u0000b' }],
        [hook.path, { embeds: [{ fields: [{ name: 'x', value: '\u0000' }] }] }],
        [`${hook.path}/chatcompat`, { text: 'a\u0000b' }],
      ];
      for (const [path, body] of nul)
        expect([path, (await api.post(path, body)).status]).toEqual([path, 400]);
      const email = `${crypto.randomUUID()}\u0000@example.com`;
      for (const path of ['/auth/register', '/auth/login']) {
        const reply = await suite.api
          .from(freshAddress())
          .post(path, { email, username: 'x', password: 'long enough\u0000' });
        expectError(reply, 400, 'INVALID_FORM_BODY');
      }
      const odd = [
        '{"content":"\\ud800"}',
        '{"content":"\\udc00\\ud800 x"}',
        '{"content":"x","username":"\\ud83d"}',
      ];
      for (const body of odd) {
        const reply = await suite.api.post(`${hook.path}?wait=true`, body, JSON_TYPE);
        expect(reply.status, reply.text).toBe(200);
        expect(reply.text).toContain('\ufffd');
      }
      const bytes = new Uint8Array([
        ...Buffer.from('{"content":"'),
        0xff,
        0xfe,
        0xc0,
        0x80,
        ...Buffer.from('"}'),
      ]);
      expect([204, 400]).toContain((await suite.api.post(hook.path, bytes, JSON_TYPE)).status);
      const bom = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from('{"content":"x"}')]);
      expect([204, 400]).toContain((await suite.api.post(hook.path, bom, JSON_TYPE)).status);
    });
  });

  describe('a body over its route’s limit', () => {
    const MIB = 1024 * 1024;

    it('is 413, announced or not, and the connection does not hang', async () => {
      const hook = await newHook(suite.api);
      const { token } = await newcomer(suite.api);
      const limits: [string, number, 'PATCH'?][] = [
        [hook.path, MIB],
        [hook.path, 14.5 * MIB, 'PATCH'],
        [`${hook.path}/messages/1`, MIB, 'PATCH'],
        [`${hook.path}/chatcompat`, MIB],
        [`/channels/${hook.channel.id}/messages`, MIB],
        ['/guilds', MIB],
        ['/auth/login', 64 * 1024],
        ['/auth/register', 64 * 1024],
        [`/channels/${hook.channel.id}/webhooks`, 14.5 * MIB],
        [`${hook.path}/codehost`, 25 * MIB],
        [`${hook.path}/statuspage`, 2 * MIB],
      ];
      for (const [path, limit, verb = 'POST'] of limits) {
        const lines = [
          `Authorization: Bearer ${token}`,
          `X-Forwarded-For: ${freshAddress()}`,
          'Content-Type: application/json',
        ];
        const announced = `${request(`${verb} /api/v1${path}`, [...lines, `Content-Length: ${limit + 1}`])}{"name":"`;
        expectError(await raw(suite.url, announced), 413, 'PAYLOAD_TOO_LARGE');
        const chunk = 'x'.repeat(limit + 1);
        const chunked = `${request(`${verb} /api/v1${path}`, [...lines, 'Transfer-Encoding: chunked'])}${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
        expectError(await raw(suite.url, chunked), 413, 'PAYLOAD_TOO_LARGE');
      }
    });

    it('and one exactly at it is read', async () => {
      const hook = await newHook(suite.api);
      const pad = (limit: number, start: string) => `${start}${'x'.repeat(limit - start.length - 2)}"}`;
      const execute = await suite.api.post(hook.path, pad(MIB, '{"content":"fits","padding":"'), JSON_TYPE);
      expect([execute.status, execute.text]).toEqual([204, '']);
      const event = { ...JSON_TYPE, 'x-codehost-event': 'public' };
      const codehost = await suite.api.post(
        `${hook.path}/codehost`,
        pad(25 * MIB, '{"repository":{"full_name":"a/b","name":"b"},"p":"'),
        event,
      );
      expect(codehost.status).toBe(204);
      expect((await hook.messages())[0]?.embeds[0]?.title).toBe('[a/b] Now open sourced!');
      const statuspage = await suite.api.post(
        `${hook.path}/statuspage`,
        pad(2 * MIB, '{"incident":{"name":"It fits"},"p":"'),
        JSON_TYPE,
      );
      expect(statuspage.status).toBe(204);
      expect((await hook.messages())[0]?.embeds[0]?.title).toBe('It fits');
    });
  });
}
