import { describe, it } from 'vitest';
import { type Api, withGlobalRetry } from '../support/api.ts';
import { expectError, expectNotJson } from '../support/expect-error.ts';
import { createGuild, newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { deleteWebhook, openWebhook, patchWebhook, UNKNOWN_ID } from './calls.ts';

const BROKEN = { 'content-type': 'application/json' };
const BAD = { name: '', avatar: 'x' };

const TAKES_BODY = new Set(['POST', 'PATCH']);
const BAD_BODIES = ['{', '{"channel_id":"1","content":5}', '\0'];
const TOKEN_ROUTES = [
  ['GET', ''],
  ['PATCH', ''],
  ['DELETE', ''],
  ['POST', ''],
  ['GET', '/messages/1'],
  ['PATCH', '/messages/1'],
  ['DELETE', '/messages/1'],
  ['POST', '/chatcompat'],
  ['POST', '/codehost'],
  ['POST', '/statuspage'],
] as const;

export function checkOrder(stack: TestStack): void {
  describe('the order of checks on the management routes', () => {
    it('is: credential, form, existence, MANAGE_WEBHOOKS, then name and avatar', async () => {
      const { webhook, channel, owner } = await openWebhook(stack);
      const stranger = await newcomer(withGlobalRetry(stack.api));
      const nobody = withGlobalRetry(stack.api);
      const ways: [(api: Api, id: string, body: unknown) => ReturnType<Api['send']>, string][] = [
        [(api, id, body) => api.post(`/channels/${id}/webhooks`, body, BROKEN), channel.id],
        [(api, id, body) => patchWebhook(api, id, body, BROKEN), webhook.id],
      ];
      for (const [way, id] of ways) {
        expectError(await way(nobody, UNKNOWN_ID, '{'), 401, 'UNAUTHORIZED');
        for (const body of ['{', '[]', '"x"', 'null', ''])
          expectNotJson(await way(owner.api, UNKNOWN_ID, body));
        expectNotJson(await way(stranger.api, id, '{'));
        expectError(await way(owner.api, UNKNOWN_ID, JSON.stringify(BAD)), 404, 'NOT_FOUND');
        expectError(await way(stranger.api, UNKNOWN_ID, JSON.stringify(BAD)), 404, 'NOT_FOUND');
        expectError(await way(stranger.api, id, JSON.stringify(BAD)), 403, 'FORBIDDEN');
        expectError(await way(owner.api, id, JSON.stringify(BAD)), 400, 'BAD_REQUEST', {
          name: 'WEBHOOK_NAME_LENGTH_INVALID',
          avatar: 'INVALID_FORMAT',
        });
      }
      const elsewhere = await createGuild(stranger);
      expectError(
        await patchWebhook(owner.api, webhook.id, { channel_id: elsewhere.channel.id, ...BAD }),
        400,
        'BAD_REQUEST',
      );
    });
  });

  describe('the order of checks on the token routes', () => {
    it('is: ID, token, then body, for every caller', async () => {
      const { webhook, owner, path } = await openWebhook(stack);
      const unknown = `/webhooks/${UNKNOWN_ID}/${webhook.token}`;
      const wrong = `/webhooks/${webhook.id}/${[...webhook.token].toReversed().join('')}`;
      const requests = TOKEN_ROUTES.flatMap(([method, suffix]) =>
        (TAKES_BODY.has(method) ? BAD_BODIES : [undefined]).map((body) => ({ method, suffix, body })),
      );
      for (const { method, suffix, body } of requests) {
        for (const api of [withGlobalRetry(stack.api), owner.api]) {
          const send = (at: string) => api.send(method, `${at}${suffix}`, { body, headers: BROKEN });
          expectError(await send(unknown), 404, 'NOT_FOUND');
          expectError(await send(wrong), 401, 'UNAUTHORIZED');
        }
      }
      expectError(await owner.api.get(`${path}/messages/${UNKNOWN_ID}`), 404, 'UNKNOWN_MESSAGE');
      expectError(await deleteWebhook(owner.api, UNKNOWN_ID), 404, 'NOT_FOUND');
    });
  });
}
