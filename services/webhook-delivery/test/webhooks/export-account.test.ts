import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addWebhook,
  anonymous,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { newChannel } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('export_account');
});
afterAll(() => fixture.close());

test('the webhooks that an account created are exported, without their tokens', async () => {
  const made = [];
  for (let count = 0; count < 5; count++)
    made.push(await addWebhook(fixture, { channel_id: newChannel(fixture) }));
  const read = async (account_id: string) =>
    (await fixture.client.exportAccount({ account_id, file: 'webhooks' }, anonymous)).rows;
  const rows = await read(MANAGER);
  expect(JSON.parse(`[${rows}]`)).toMatchObject(made.map(({ id }) => ({ id })));
  for (const { token } of made) expect(rows).not.toContain(token);
  expect(await read('404')).toBe('');
});
