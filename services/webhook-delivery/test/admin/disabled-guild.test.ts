import { reasonOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { peerFault } from '../fixtures/peer-fault.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  CHANNEL,
  credentialOf,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('disabled_guild');
});
afterAll(() => fixture.close());

it('an execution in a disabled guild is 403, and its delivery names the reason', async () => {
  const webhook = await addWebhook(fixture);
  fixture.before.createWebhookMessage = () => {
    throw peerFault(Status.PERMISSION_DENIED, 'GUILD_DISABLED');
  };
  const sent = { ...credentialOf(webhook), body: bodyOf({ content: 'x' }) };
  expect(await reasonOf(fixture.client.executeWebhook(sent, anonymous))).toBe('GUILD_DISABLED');
  delete fixture.before.createWebhookMessage;
  const list = await fixture.client.listWebhookDeliveries({ webhook_id: webhook.id }, as(MANAGER));
  expect(list.deliveries).toMatchObject([{ outcome: 'refused', reason: 'guild_disabled', status: 403 }]);
});

it('every change of a webhook by its managers is refused, and reading is not', async () => {
  const { id: webhook_id } = await addWebhook(fixture);
  fixture.disabled.add(GUILD);
  const { client } = fixture;
  const changes = [
    client.createWebhook({ channel_id: CHANNEL, name: 'x' }, as(MANAGER)),
    client.updateWebhook({ webhook_id, name: 'y', avatar: null }, as(MANAGER)),
    client.deleteWebhook({ webhook_id }, as(MANAGER)),
    client.updateWebhookSettings({ guild_id: GUILD, keep_payloads: true }, as(MANAGER)),
  ];
  const reasons = await Promise.all(changes.map(reasonOf));
  expect(new Set(reasons)).toEqual(new Set(['GUILD_DISABLED']));
  await client.getWebhook({ webhook_id }, as(MANAGER));
  await client.listChannelWebhooks({ channel_id: CHANNEL }, as(MANAGER));
  await client.getWebhookSettings({ guild_id: GUILD }, as(MANAGER));
  fixture.disabled.delete(GUILD);
});
