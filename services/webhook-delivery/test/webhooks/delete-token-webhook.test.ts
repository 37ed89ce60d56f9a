import { reasonOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { changesOf, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('delete_token_webhook', { replicas: 2 });
});
afterAll(() => fixture.close());

const remove = (webhook: Webhook, replica = 0) =>
  replicaOf(fixture, replica).deleteTokenWebhook(credentialOf(webhook), anonymous);
/** The changes that chat received after the creation. */
const laterChangesOf = (webhook: Webhook) => changesOf(fixture, webhook).slice(1);

it('deletes the webhook for everybody; its messages stay', async () => {
  const webhook = await addWebhook(fixture);
  const credential = credentialOf(webhook);
  const body = bodyOf({ content: 'Stays' });
  const { message } = await fixture.client.executeWebhook({ ...credential, body, wait: '1' }, anonymous);
  expect(await remove(webhook)).toEqual({});

  const message_id = message?.id ?? '';
  const calls = [
    fixture.client.getTokenWebhook(credential, anonymous),
    fixture.client.executeWebhook({ ...credential, body }, anonymous),
    fixture.client.getWebhookMessage({ ...credential, message_id }, anonymous),
    fixture.client.updateWebhookMessage({ ...credential, message_id, body }, anonymous),
    fixture.client.deleteWebhookMessage({ ...credential, message_id }, anonymous),
    fixture.client.updateTokenWebhook({ ...credential, body: bodyOf({}) }, anonymous),
    fixture.client.getWebhook({ webhook_id: webhook.id }, as(MANAGER)),
    remove(webhook),
  ];
  expect(new Set(await Promise.all(calls.map(reasonOf)))).toEqual(new Set(['NOT_FOUND']));
  expect(fixture.messages.get(message_id)?.content).toBe('Stays');
});

it('is reported to the guild, without an audit log entry', async () => {
  const webhook = await addWebhook(fixture);
  await remove(webhook);
  const { id, guild_id, channel_id, name, avatar } = webhook;
  expect(laterChangesOf(webhook)).toEqual([
    {
      id: expect.any(String),
      revision: 2,
      webhook: { id, guild_id, channel_id, name, avatar },
      channel_id,
      entry: null,
    },
  ]);
});

it('needs no permission; chat gets the report when it is available again', async () => {
  const webhook = await addWebhook(fixture);
  fixture.managers.delete(MANAGER);
  await fixture.stopChat();
  await remove(webhook);
  await fixture.startChat();
  fixture.managers.add(MANAGER);
  await expect.poll(() => laterChangesOf(webhook).map(({ revision }) => revision)).toEqual([2]);
});

it('succeeds once among concurrent deletions by token and by managers', async () => {
  for (let round = 0; round < 3; round++) {
    const webhook = await addWebhook(fixture);
    const calls = await Promise.allSettled(
      Array.from({ length: 32 }, (_, n) =>
        n % 4 === 3
          ? replicaOf(fixture, n).deleteWebhook({ webhook_id: webhook.id }, as(MANAGER))
          : remove(webhook, n % 2),
      ),
    );
    const outcomes = calls.map((call) => (call.status === 'rejected' ? call.reason.reason : 'deleted'));
    expect(outcomes.sort()).toEqual([...Array(31).fill('NOT_FOUND'), 'deleted']);
    expect(laterChangesOf(webhook).map(({ revision }) => revision)).toEqual([2]);
  }
});

it('makes room for another webhook in the channel', async () => {
  const full = await Promise.all(Array.from({ length: 15 }, () => addWebhook(fixture)));
  expect(await reasonOf(addWebhook(fixture))).toBe('BAD_REQUEST');
  if (full[7] !== undefined) await remove(full[7]);
  await addWebhook(fixture);
  expect(await reasonOf(addWebhook(fixture))).toBe('BAD_REQUEST');
});
