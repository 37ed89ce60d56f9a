import { describe, expect, it } from 'vitest';
import type { Embed, Message } from '../../support/objects.ts';
import { createWebhook, newWebhook, type WebhookFixture } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { postDelivery } from '../../webhooks/codehost/codehost-delivery.ts';
import { expectedOf, type Payload } from './codehost-table.ts';
import { type Delivery, exampleDeliveries } from './examples.ts';

export function codehostDeliveries(stack: TestStack): void {
  const deliver = (
    hook: WebhookFixture,
    { event, payload }: { readonly event: string; readonly payload: object },
    delivery: string = crypto.randomUUID(),
  ) => postDelivery(stack.api, hook, delivery, event, payload);

  const deliverAll = async (hook: WebhookFixture, deliveries: Delivery[], identifiers: string[]) => {
    for (const [index, delivery] of deliveries.entries()) {
      const { status, text } = await deliver(hook, delivery, identifiers[index]);
      expect([status, text], `${delivery.event} ${delivery.payload.action}`).toEqual([204, '']);
    }
  };

  describe('the code host’s published example payloads', () => {
    it('render 68 of 329, as in the table; none on redelivery, and all under new identifiers', async () => {
      const deliveries = exampleDeliveries();
      expect(deliveries).toHaveLength(329);
      let rendered = 0;
      // Three times 60 deliveries stay within a webhook's limit per minute.
      for (const batch of chunks(deliveries, 60)) {
        const hook = await newWebhook(stack.api);
        const identifiers = batch.map(() => crypto.randomUUID());
        const expected = batch.map(({ event, payload }) => expectedOf(event, payload)).filter(isPresent);
        await deliverAll(hook, batch, identifiers);
        expect(await essences(hook)).toEqual(expected);
        await deliverAll(hook, batch, identifiers);
        expect(await essences(hook)).toEqual(expected);
        await deliverAll(
          hook,
          batch,
          batch.map(() => crypto.randomUUID()),
        );
        expect(await essences(hook)).toEqual([...expected, ...expected]);
        rendered += expected.length;
      }
      expect(rendered).toBe(68);
    });

    it('render a push as a message of the code host, with the pusher as author and the comparison as link', async () => {
      const hook = await newWebhook(stack.api);
      const push = exampleDeliveries().find(
        ({ event, payload }) => event === 'push' && payload.commits?.length,
      );
      if (push === undefined) throw new Error('no push among the examples');
      await deliver(hook, push);
      const [message, ...more] = await hook.messages();
      expect(more).toEqual([]);
      expect(message).toMatchObject({
        content: '',
        webhook_id: hook.webhook.id,
        author: {
          id: hook.webhook.id,
          username: 'Code host',
          discriminator: '0000',
          avatar: null,
          bot: true,
        },
        mentions: [],
        mention_everyone: false,
        embeds: [
          {
            type: 'rich',
            title: '[Hello-World:master] 1 new commit',
            url: 'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
            color: 0x7289da,
            author: { name: 'Codertocat', url: 'https://github.com/Codertocat' },
          },
        ],
      });
      expect(message?.embeds[0]?.description).toContain(
        '[`6113728`](https://github.com/Codertocat/Hello-World/',
      );
    });
  });

  describe('a code-host delivery', () => {
    const repository = {
      full_name: 'acme/rocket',
      name: 'rocket',
      html_url: 'https://code.example/acme/rocket',
    };
    const star = { event: 'watch', payload: { action: 'started', repository } };

    it('is ignored if its identifier has rendered, accepted if not, and renders once if many arrive at the same time', async () => {
      const hook = await newWebhook(stack.api);
      await deliver(hook, { event: 'ping', payload: { repository } }, 'first');
      expect(await hook.messages()).toHaveLength(0);
      await Promise.all(Array.from({ length: 32 }, () => deliver(hook, star, 'first')));
      expect(await hook.messages()).toHaveLength(1);
      await deliver(hook, star, '');
      await deliver(hook, star, '');
      expect(await hook.messages(), 'an empty identifier disables deduplication').toHaveLength(3);

      const other = await createWebhook(hook, stack.api);
      await deliver(other, star, 'first');
      expect(await hook.messages(), 'identifiers are per webhook').toHaveLength(4);
    });

    it('of a forced push renders without commits, but not without a head commit', async () => {
      const hook = await newWebhook(stack.api);
      const forced: Payload = {
        repository,
        ref: 'refs/heads/main',
        forced: true,
        compare: 'https://code.example/acme/rocket/compare/a...b',
        commits: [],
      };
      await deliver(hook, { event: 'push', payload: { ...forced, head_commit: null } });
      expect(await hook.messages()).toHaveLength(0);
      await deliver(hook, {
        event: 'push',
        payload: { ...forced, head_commit: { id: 'c0ffee0'.padEnd(40, '1') } },
      });
      const [message] = await hook.messages();
      expect(message?.embeds[0]).toMatchObject({
        title: '[rocket] Branch main was force-pushed to `c0ffee0`',
        url: forced.compare,
        color: 0xfcbd1f,
        description: `[Compare changes](${forced.compare})`,
      });
    });

    it('lists its commits, links a reverted commit and keeps titles and descriptions within their limits', async () => {
      const hook = await newWebhook(stack.api);
      const sha = 'ab12cd3'.padEnd(40, '4');
      const commit = (message: string) => ({
        id: sha,
        message,
        url: `https://code.example/acme/rocket/commit/${sha}`,
        author: { name: 'Grace' },
      });
      const push = (messages: string[]) => ({
        event: 'push',
        payload: {
          repository,
          ref: 'refs/heads/main',
          compare: 'https://c.example/x',
          commits: messages.map(commit),
        },
      });
      await deliver(hook, push(['fix: the\nnozzle']));
      const label = `[\`ab12cd3\`](https://code.example/acme/rocket/commit/${sha})`;
      const [first] = await hook.messages();
      expect(first?.embeds[0]).toMatchObject({
        title: '[rocket:main] 1 new commit',
        description: `${label} fix: the nozzle - Grace`,
      });
      expect(first?.embeds[0], 'a push without sender has no author').not.toHaveProperty('author');

      await deliver(hook, push([`This reverts commit ${sha}.`]));
      const reverted = (await hook.messages())[0]?.embeds[0]?.description ?? '';
      expect(reverted.split(`(https://code.example/acme/rocket/commit/${sha})`)).toHaveLength(3);

      await deliver(hook, push(Array.from({ length: 20 }, (_, n) => `commit ${n}`)));
      const long = (await hook.messages())[0]?.embeds[0];
      expect(long?.title).toBe('[rocket:main] 20 new commits');
      expect([...(long?.description ?? '')].length).toBeLessThanOrEqual(350);
      expect(long?.description).toMatch(/\.\.\.$/);
    });

    it('never notifies anyone, and is 204 for any body', async () => {
      const hook = await newWebhook(stack.api);
      const title = `@everyone <@${hook.owner.user.id}>`;
      const issue = { number: 1, title, body: title, html_url: 'https://c.example/1' };
      await deliver(hook, {
        event: 'issues',
        payload: { action: 'opened', repository, issue },
      });
      const [message] = await hook.messages();
      expect(message).toMatchObject({ mention_everyone: false, mentions: [] });
      const odd: [string, unknown][] = [
        ['push', 'not json'],
        ['push', '[]'],
        ['push', ''],
        ['push', { repository: 5, ref: {}, compare: [], commits: 'x', head_commit: true, forced: 'yes' }],
        ['issues', { action: ['opened'], issue: 'x', repository: {} }],
        ['check_run', { action: 'completed', repository, check_run: { check_suite: 7 } }],
        ['watch', { action: 'started', repository: null }],
        ['toString', { repository }],
        ['__proto__', { repository }],
        ['', { repository }],
      ];
      for (const [event, body] of odd) {
        const reply = await stack.api.post(`${hook.path}/codehost`, body, { 'x-codehost-event': event });
        expect([event, reply.status, reply.text]).toEqual([event, 204, '']);
      }
      const nul = { action: 'opened', repository, issue: { ...issue, title: 'a\u0000b \ud800' } };
      const reply = await stack.api.post(`${hook.path}/codehost`, nul, { 'x-codehost-event': 'issues' });
      expect(reply.status, 'a NUL byte or half a character in a payload is accepted').toBe(204);
      expect((await stack.api.post(`${hook.path}/codehost`, { repository })).status, 'no event at all').toBe(
        204,
      );
    });

    it('may be the form field "payload", but not multipart', async () => {
      const hook = await newWebhook(stack.api);
      const form = new URLSearchParams({ payload: JSON.stringify(star.payload) }).toString();
      const sent = { 'x-codehost-event': 'watch', 'content-type': 'application/x-www-form-urlencoded' };
      expect((await stack.api.post(`${hook.path}/codehost`, form, sent)).status).toBe(204);
      expect(await hook.messages()).toHaveLength(1);
      const data = new FormData();
      data.set('payload', JSON.stringify(star.payload));
      const multipart = await stack.api.post(`${hook.path}/codehost`, data, { 'x-codehost-event': 'watch' });
      expect(multipart.status).toBe(400);
      expect(await hook.messages()).toHaveLength(1);
    });
  });
}

/** The contents of the messages in the webhook's channel, oldest first. */
async function essences(hook: WebhookFixture) {
  return (await hook.messages()).reverse().map(essence);
}

function essence({ content, embeds }: Message) {
  expect(content).toBe('');
  expect(embeds).toHaveLength(1);
  const { title, url, color, author } = embeds[0] as Embed;
  return JSON.parse(JSON.stringify({ title, url, color, author }));
}

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
