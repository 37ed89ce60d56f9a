import { BUCKETS, type BucketName } from '@gatehouse/proto/buckets';
import { describe, expect, it } from 'vitest';
import { burst } from '../rate-limit/burst.ts';
import { expectBucketDenial, isBucketDenial, isGlobalDenial } from '../rate-limit/expect-denial.ts';
import { until429 } from '../rate-limit/webhook-execute.ts';
import { type Api, type Reply, withGlobalRetry } from '../support/api.ts';
import { createChannel } from '../support/guilds.ts';
import { createWebhook, freshAddress, newcomer, type WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { deleteWebhook, openWebhook, patchWebhook, postWebhook } from './calls.ts';

interface Callers {
  owner: Api;
  stranger: Api;
  nobody: Api;
}

type Send = (hook: WebhookFixture, by: Callers) => Promise<Reply>;

const wrong = ({ webhook }: WebhookFixture) => `/webhooks/${webhook.id}/${'x'.repeat(64)}`;

/** Each bucket, with requests that charge it: its routes with different callers and outcomes. */
const WAYS: [bucket: BucketName, ways: Send[]][] = [
  [
    'webhook:list_guild',
    [
      ({ guild }, { owner }) => owner.get(`/guilds/${guild.id}/webhooks`),
      ({ guild }, { stranger }) => stranger.get(`/guilds/${guild.id}/webhooks`),
      ({ guild }, { nobody }) => nobody.get(`/guilds/${guild.id}/webhooks`),
    ],
  ],
  [
    'webhook:list_channel',
    [
      ({ channel }, { owner }) => owner.get(`/channels/${channel.id}/webhooks`),
      ({ channel }, { stranger }) => stranger.get(`/channels/${channel.id}/webhooks`),
      ({ channel }, { nobody }) => nobody.get(`/channels/${channel.id}/webhooks`),
    ],
  ],
  [
    'webhook:read',
    [
      ({ webhook }, { owner }) => owner.get(`/webhooks/${webhook.id}`),
      ({ webhook }, { stranger }) => stranger.get(`/webhooks/${webhook.id}`),
      ({ path }, { nobody }) => nobody.get(path),
      (hook, { nobody }) => nobody.get(wrong(hook)),
    ],
  ],
  [
    'webhook:update',
    [
      ({ webhook }, { owner }) => patchWebhook(owner, webhook.id, { name: 'x' }),
      ({ path }, { nobody }) => nobody.send('PATCH', path, { body: { name: 'y' } }),
      (hook, { nobody }) => nobody.send('PATCH', wrong(hook), { body: '{' }),
      ({ webhook }, { stranger }) => patchWebhook(stranger, webhook.id, { name: '' }),
    ],
  ],
  [
    'webhook:delete',
    [
      ({ webhook }, { stranger }) => deleteWebhook(stranger, webhook.id),
      (hook, { nobody }) => nobody.send('DELETE', wrong(hook)),
    ],
  ],
  [
    'webhook:codehost',
    [
      ({ path }, { nobody }) => nobody.post(`${path}/codehost`, {}),
      (hook, { owner }) => owner.post(`${wrong(hook)}/codehost`, {}),
    ],
  ],
  [
    'webhook:statuspage',
    [
      ({ path }, { nobody }) => nobody.post(`${path}/statuspage`, {}),
      (hook, { owner }) => owner.post(`${wrong(hook)}/statuspage`, {}),
    ],
  ],
  [
    'webhook:message_get',
    [
      ({ path }, { nobody }) => nobody.get(`${path}/messages/4`),
      (hook, { owner }) => owner.get(`${wrong(hook)}/messages/5`),
    ],
  ],
  [
    'webhook:message_edit',
    [
      ({ path }, { nobody }) => nobody.send('PATCH', `${path}/messages/4`, { body: '{' }),
      (hook, { owner }) => owner.send('PATCH', `${wrong(hook)}/messages/5`, { body: {} }),
    ],
  ],
  [
    'webhook:message_delete',
    [
      ({ path }, { nobody }) => nobody.send('DELETE', `${path}/messages/4`),
      (hook, { owner }) => owner.send('DELETE', `${wrong(hook)}/messages/5`),
    ],
  ],
];

export function webhookBuckets(stack: TestStack): void {
  async function open() {
    const hook = await openWebhook(stack);
    const stranger = await newcomer(stack.api);
    const by: Callers = {
      owner: hook.owner.api,
      stranger: withGlobalRetry(stranger.api),
      nobody: withGlobalRetry(stack.api.from(freshAddress())),
    };
    return { hook, by };
  }

  describe('a bucket of the webhooks’ routes', () => {
    it.each(WAYS)('%s is shared by its routes and by all callers', async (bucket, ways) => {
      const { limit, window_seconds } = BUCKETS[bucket];
      const { hook, by } = await open();
      const way = (n: number): Send => ways[n % ways.length] ?? (ways[0] as Send);
      const { replies, seconds } = await burst(limit, (n) => way(n)(hook, by));
      expect(replies.filter(isBucketDenial)).toEqual([]);
      const drained = Math.ceil((seconds * limit) / window_seconds) + limit;
      for (const send of ways) expectBucketDenial(await until429(() => send(hook, by), drained), bucket);

      const room = await createChannel(hook, { name: 'room' });
      const other = await createWebhook({ ...hook, channel: room }, withGlobalRetry(stack.api));
      if (bucket !== 'webhook:list_guild')
        for (const send of ways) expect(isBucketDenial(await send(other, by)), 'another key').toBe(false);
      for (const [name, [send]] of WAYS)
        if (name !== bucket && send)
          expect(isBucketDenial(await send(hook, by)), `${bucket}, ${name}`).toBe(false);
    });

    it('is the same for an escaped ID', async () => {
      const { hook, by } = await open();
      const { id, token } = hook.webhook;
      const escaped = [...id].map((digit) => `%3${digit}`).join('');
      const edit = (written: string, query = '') =>
        by.nobody.send('PATCH', `/webhooks/${written}/${token}/messages/4${query}`, { body: {} });
      await burst(30, (n) => edit(n % 2 ? id : escaped));
      for (const [written, query] of [
        [id, '?x=1'],
        [escaped, ''],
      ] as const)
        expectBucketDenial(await until429(() => edit(written, query), 10), 'webhook:message_edit');
    });

    it('webhook:create is per channel', async () => {
      const { hook, by } = await open();
      await burst(9, (n) => postWebhook(n % 2 ? by.stranger : by.owner, hook.channel.id));
      const denied = await until429(() => postWebhook(by.nobody, hook.channel.id, '{'), 5);
      expectBucketDenial(denied, 'webhook:create');
      const room = await createChannel(hook, { name: 'room' });
      expect((await postWebhook(by.owner, room.id)).status).toBe(200);
    });
  });

  describe('the global limit', () => {
    const message = (hook: WebhookFixture) => `${hook.path}/messages/4`;

    it.each<[string, (hook: WebhookFixture, api: Api) => Promise<Reply>]>([
      ['statuspage', (hook, api) => api.post(`${hook.path}/statuspage`, {})],
      ['the edit of a message', (hook, api) => api.send('PATCH', message(hook), { body: {} })],
      ['the deletion of a message', (hook, api) => api.send('DELETE', message(hook))],
    ])('does not count %s, with or without a credential', async (_, send) => {
      const hook = await openWebhook(stack);
      const person = await newcomer(stack.api);
      for (const api of [person.api.from(freshAddress()), stack.api.from(freshAddress())]) {
        const { replies } = await burst(120, () => send(hook, api));
        expect(replies.filter(isGlobalDenial)).toEqual([]);
      }
      expect((await person.api.get('/users/@me')).status).toBe(200);
    });

    it.each<[string, (hook: WebhookFixture, api: Api) => Promise<Reply>]>([
      ['a management route', ({ webhook }, api) => api.get(`/webhooks/${webhook.id}`)],
      ['an update by token', ({ path }, api) => api.send('PATCH', path, { body: {} })],
      ['a deletion by token', (hook, api) => api.send('DELETE', wrong(hook))],
      ['a read by token with a credential', ({ path }, api) => api.get(path)],
    ])('counts %s', async (_, send) => {
      const hook = await openWebhook(stack);
      const person = await newcomer(stack.api);
      const { replies, seconds } = await burst(200, () => send(hook, person.api));
      const admitted = 200 - replies.filter(isGlobalDenial).length;
      expect(admitted, `in ${seconds.toFixed(2)} s`).toBeLessThanOrEqual(50 + 1 + 50 * seconds);
    });
  });
}
