import { describe, expect, it } from 'vitest';
import { ok } from '../chat/guild-fixture.ts';
import { unhurried } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { raw, request } from '../support/raw.ts';
import type { TestSuite } from '../support/suite.ts';
import { create, openHook } from './calls.ts';

const WRONG_IDS = [
  '0x1',
  '+1',
  '-1',
  '01',
  '1.0',
  '1e3',
  'abc',
  '%20',
  '1%20',
  '%00',
  '９',
  '9223372036854775808',
];

export function wrongRequests(suite: TestSuite): void {
  const api = () => unhurried(suite.api);

  describe('an ID in the path of a webhook’s route', () => {
    it('is judged by its form, before everything else about the webhook', async () => {
      const { owner, path, webhook } = await openHook(suite);
      for (const id of [...WRONG_IDS, '1'.repeat(5000)]) {
        for (const [method, at, name] of [
          ['GET', `/guilds/${id}/webhooks`, 'guild_id'],
          ['GET', `/channels/${id}/webhooks`, 'channel_id'],
          ['GET', `/webhooks/${id}`, 'webhook_id'],
          ['DELETE', `/webhooks/${id}`, 'webhook_id'],
          ['POST', `/webhooks/${id}/x/statuspage`, 'webhook_id'],
          ['GET', `${path}/messages/${id}`, 'message_id'],
        ] as const)
          expectError(await owner.api.send(method, at), 400, 'INVALID_FORM_BODY', {
            [name]: 'INVALID_SNOWFLAKE_FORMAT',
          });
      }
      for (const id of ['0', '9223372036854775807'])
        expectError(await owner.api.get(`/webhooks/${id}`), 404, 'NOT_FOUND');
      expect((await owner.api.get(`/webhooks/%3${webhook.id[0]}${webhook.id.slice(1)}`)).status).toBe(200);
    });
  });

  describe('a route that is not served', () => {
    it('is 404 NOT_FOUND, by its method and by its path', async () => {
      const { owner, path, webhook, channel, guild } = await openHook(suite);
      for (const [method, at] of [
        ['PUT', path],
        ['PUT', `/webhooks/${webhook.id}`],
        ['POST', `/webhooks/${webhook.id}`],
        ['POST', `/guilds/${guild.id}/webhooks`],
        ['DELETE', `/channels/${channel.id}/webhooks`],
        ['GET', `${path}/chatcompat`],
        ['PUT', `${path}/codehost`],
        ['PATCH', `${path}/statuspage`],
        ['POST', `${path}/messages/1`],
        ['GET', `${path}/messages`],
        ['POST', `${path}/unknown`],
        ['POST', `${path}/codehost/more`],
        ['POST', `${path}/messages/1/more`],
        ['GET', '/webhooks'],
        ['GET', `/Webhooks/${webhook.id}`],
        ['POST', `${path}/ChatCompat`],
      ] as const) {
        const body =
          method === 'GET' || method === 'DELETE' ? undefined : { content: 'x', text: 'x', name: 'x' };
        for (const caller of [owner.api, api()])
          expectError(await caller.send(method, at, { body }), 404, 'NOT_FOUND');
      }
      expect(await ok(owner.api.get(`/channels/${channel.id}/messages`))).toEqual([]);
    });
  });

  describe('a token in the path', () => {
    it('is the whole token, byte for byte, however it is written', async () => {
      const { webhook, path, execute } = await openHook(suite);
      const { token } = webhook;
      const at = (written: string) => api().get(`/webhooks/${webhook.id}/${written}`);
      const swapped = [...token].toReversed().join('');
      for (const wrong of [
        ...Array.from({ length: 8 }, (_, n) => changed(token, n * 9)),
        swapped,
        token.slice(0, -1),
        `${token}0`,
        `%20${token}`,
        `${token}%0A`,
        '__proto__',
        'constructor',
        'x'.repeat(7000),
        '%F0%9F%98%80',
        '%ED%A0%80',
      ])
        expectError(await at(wrong), 401, 'UNAUTHORIZED');
      const escaped = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;
      expect((await at(escaped)).status, 'an escape is the character it stands for').toBe(200);
      expect((await execute({ content: 'x' })).status).toBe(204);
      expect((await api().get(`${path}?token=x&webhook_id=1`)).status).toBe(200);
    });
  });

  describe('headers', () => {
    it('cannot be split by what a caller sends, nor stored with a line break', async () => {
      const { owner, channel } = await openHook(suite);
      const made = await create(owner.api, channel.id, { name: 'a\r\nSet-Cookie: x=1' });
      expect(made.headers.get('set-cookie')).toBeNull();
      expect(made.json()).toMatchObject({ name: 'a\r\nSet-Cookie: x=1' });
      const line = `POST /api/v1/channels/${channel.id}/webhooks`;
      const bearer = `Authorization: Bearer ${owner.token}`;
      const type = 'Content-Type: application/json';
      for (const reason of ['%', '%zz', '%ff', '\xe9', '']) {
        const bytes = Buffer.from(
          request(line, [bearer, type, `X-Audit-Log-Reason: ${reason}`], '{"name":"x"}'),
          'latin1',
        );
        const { status } = await raw(suite.url, bytes);
        expect([200, 400], `a reason of ${reason}`).toContain(status);
      }
    });
  });
}

/** The token with another character at a place. */
function changed(token: string, at: number): string {
  const other = token[at] === 'a' ? 'b' : 'a';
  return token.slice(0, at) + other + token.slice(at + 1);
}
