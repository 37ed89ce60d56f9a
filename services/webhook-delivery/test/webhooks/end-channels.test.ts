import { refusalOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addWebhook,
  anonymous,
  bodyOf,
  CHANNEL,
  credentialOf,
  GUILD,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('webhooks_end_channels');
});
afterAll(() => fixture.close());

const remove = (...channel_ids: string[]) => fixture.client.endChannels({ channel_ids }, anonymous);

test('deletes the webhooks of deleted channels and no others; repeating it changes nothing', async () => {
  const [first, second] = ['71', '72'];
  fixture.channels.set(first, GUILD).set(second, GUILD);
  const webhooks = [
    await addWebhook(fixture, { channel_id: first }),
    await addWebhook(fixture, { channel_id: first }),
    await addWebhook(fixture, { channel_id: second }),
  ];
  const other = await addWebhook(fixture, { channel_id: CHANNEL });

  for (let n = 0; n < 2; n++) expect(await remove(first, second, '73')).toEqual({});
  for (const webhook of webhooks) {
    const execution = { ...credentialOf(webhook), body: bodyOf({ content: 'x' }) };
    expect(await refusalOf(fixture.client.getTokenWebhook(credentialOf(webhook), anonymous))).toEqual([
      'NOT_FOUND',
    ]);
    expect(await refusalOf(fixture.client.executeWebhook(execution, anonymous))).toEqual(['NOT_FOUND']);
  }
  const { webhook } = await fixture.client.getTokenWebhook(credentialOf(other), anonymous);
  expect(webhook?.id).toBe(other.id);
});

test('accepts no channels; refuses malformed IDs, and more than 1,000', async () => {
  expect(await remove()).toEqual({});
  for (const ids of [['general'], [''], Array.from({ length: 1001 }, (_, n) => String(n))]) {
    expect(await refusalOf(remove(...ids))).toEqual(['INVALID_FORM_BODY', 'channel_ids INVALID_FORMAT']);
  }
});
