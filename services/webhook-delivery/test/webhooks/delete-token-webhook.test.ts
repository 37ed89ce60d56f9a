import { reasonOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replicaOf } from '../support.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../webhook-delivery.ts';

let suite: WebhookDelivery;
beforeAll(async () => {
  suite = await startWebhookDelivery('delete_token_webhook', { replicas: 2 });
});
afterAll(() => suite.close());

const remove = (webhook: Webhook, replica = 0) =>
  replicaOf(suite, replica).deleteTokenWebhook(credentialOf(webhook), anonymous);
const changesOf = ({ id }: Webhook) =>
  [...suite.changes.values()].filter(({ webhook }) => webhook?.id === id).slice(1);

it('ends the webhook for everybody; its messages stay', async () => {
  const webhook = await addWebhook(suite);
  const credential = credentialOf(webhook);
  const body = bodyOf({ content: 'Stays' });
  const { message } = await suite.client.executeWebhook({ ...credential, body, wait: '1' }, anonymous);
  expect(await remove(webhook)).toEqual({});

  const message_id = message?.id ?? '';
  const calls = [
    suite.client.getTokenWebhook(credential, anonymous),
    suite.client.executeWebhook({ ...credential, body }, anonymous),
    suite.client.getWebhookMessage({ ...credential, message_id }, anonymous),
    suite.client.updateWebhookMessage({ ...credential, message_id, body }, anonymous),
    suite.client.deleteWebhookMessage({ ...credential, message_id }, anonymous),
    suite.client.updateTokenWebhook({ ...credential, body: bodyOf({}) }, anonymous),
    suite.client.getWebhook({ webhook_id: webhook.id }, as(MANAGER)),
    remove(webhook),
  ];
  expect(new Set(await Promise.all(calls.map(reasonOf)))).toEqual(new Set(['NOT_FOUND']));
  expect(suite.messages.get(message_id)?.content).toBe('Stays');
});

it('is reported to the guild, without an audit log entry', async () => {
  const webhook = await addWebhook(suite);
  await remove(webhook);
  const { id, guild_id, channel_id, name, avatar } = webhook;
  expect(changesOf(webhook)).toEqual([
    {
      id: expect.any(String),
      revision: 2,
      webhook: { id, guild_id, channel_id, name, avatar },
      channel_id,
      entry: null,
    },
  ]);
});

it('needs no permission, and chat only for its report, which it gets later', async () => {
  const webhook = await addWebhook(suite);
  suite.managers.delete(MANAGER);
  await suite.stopChat();
  await remove(webhook);
  await suite.startChat();
  suite.managers.add(MANAGER);
  await expect.poll(() => changesOf(webhook).map(({ revision }) => revision)).toEqual([2]);
});

it('of many concurrent ones, by token and by managers, one succeeds', async () => {
  for (let round = 0; round < 3; round++) {
    const webhook = await addWebhook(suite);
    const calls = await Promise.allSettled(
      Array.from({ length: 32 }, (_, n) =>
        n % 4 === 3
          ? replicaOf(suite, n).deleteWebhook({ webhook_id: webhook.id }, as(MANAGER))
          : remove(webhook, n % 2),
      ),
    );
    const outcomes = calls.map((call) => (call.status === 'rejected' ? call.reason.reason : 'deleted'));
    expect(outcomes.sort()).toEqual([...Array(31).fill('NOT_FOUND'), 'deleted']);
    expect(changesOf(webhook).map(({ revision }) => revision)).toEqual([2]);
  }
});

it('makes room for another webhook in the channel', async () => {
  const full = await Promise.all(Array.from({ length: 15 }, () => addWebhook(suite)));
  expect(await reasonOf(addWebhook(suite))).toBe('BAD_REQUEST');
  if (full[7] !== undefined) await remove(full[7]);
  await addWebhook(suite);
  expect(await reasonOf(addWebhook(suite))).toBe('BAD_REQUEST');
});
