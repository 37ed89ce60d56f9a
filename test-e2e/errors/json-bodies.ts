import { describe, expect, it } from 'vitest';
import { expectError, expectNotJson } from '../support/expect-error.ts';
import { freshAddress, newWebhook } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
export function jsonBodies(stack: TestStack): void {
  describe('a body that is not a JSON object', () => {
    it('is refused as a whole', async () => {
      const hook = await newWebhook(stack.api);
      const { api } = hook.owner;
      for (const body of ['', '{', 'null']) {
        expectNotJson(await stack.api.post(hook.path, body, JSON_TYPE));
        expectNotJson(await api.post(`/channels/${hook.channel.id}/messages`, body, JSON_TYPE));
      }
      for (const path of ['/guilds', '/oauth2/applications', `/channels/${hook.channel.id}/webhooks`]) {
        expectNotJson(await api.post(path, '[1]', JSON_TYPE));
        expectNotJson(await api.post(path, '{"name":', JSON_TYPE));
      }
      for (const path of ['/auth/login', '/auth/register']) {
        expectNotJson(await stack.api.from(freshAddress()).post(path, '[1]', JSON_TYPE));
      }
      expectNotJson(await stack.api.send('POST', hook.path));
    });

    it('is refused if a string has a NUL byte; lone surrogates and invalid UTF-8 cause no 5xx', async () => {
      const hook = await newWebhook(stack.api);
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
        const reply = await stack.api
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
        const reply = await stack.api.post(`${hook.path}?wait=true`, body, JSON_TYPE);
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
      expect([204, 400]).toContain((await stack.api.post(hook.path, bytes, JSON_TYPE)).status);
      const bom = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from('{"content":"x"}')]);
      expect([204, 400]).toContain((await stack.api.post(hook.path, bom, JSON_TYPE)).status);
    });
  });

  describe('a body of exactly its route’s limit', () => {
    const MIB = 1024 * 1024;

    it('is read', async () => {
      const hook = await newWebhook(stack.api);
      const pad = (limit: number, start: string) => `${start}${'x'.repeat(limit - start.length - 2)}"}`;
      const execute = await stack.api.post(hook.path, pad(MIB, '{"content":"fits","padding":"'), JSON_TYPE);
      expect([execute.status, execute.text]).toEqual([204, '']);
      const event = { ...JSON_TYPE, 'x-codehost-event': 'public' };
      const codehost = await stack.api.post(
        `${hook.path}/codehost`,
        pad(25 * MIB, '{"repository":{"full_name":"a/b","name":"b"},"p":"'),
        event,
      );
      expect(codehost.status).toBe(204);
      expect((await hook.messages())[0]?.embeds[0]?.title).toBe('[a/b] Now open sourced!');
      const statuspage = await stack.api.post(
        `${hook.path}/statuspage`,
        pad(2 * MIB, '{"incident":{"name":"It fits"},"p":"'),
        JSON_TYPE,
      );
      expect(statuspage.status).toBe(204);
      expect((await hook.messages())[0]?.embeds[0]?.title).toBe('It fits');
    });
  });
}
