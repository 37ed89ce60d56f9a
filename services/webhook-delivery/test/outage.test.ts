import { cuttableWire } from '@gatehouse/dev-env/cuttable-wire';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { expect, test } from 'vitest';
import { addWebhook, anonymous, startWebhookDelivery } from './start-webhook-delivery.ts';

test('every RPC is 503 while the database is unavailable, and succeeds afterwards', async () => {
  const wire = await cuttableWire();
  const fixture = await startWebhookDelivery('webhooks_outage', { through: wire.through });
  const { client } = fixture;
  try {
    const { id, token } = await addWebhook(fixture);
    const credential = { webhook_id: id, token };
    const get = () => client.getTokenWebhook(credential, anonymous);
    const before = await get();

    wire.cut();
    const calls = [get(), client.getWebhookMessage({ ...credential, message_id: '1' }, anonymous)];
    expect(await Promise.all(calls.map(reasonOf))).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));

    wire.mend();
    await expect.poll(get).toEqual(before);
  } finally {
    wire.mend();
    await fixture.close();
    wire.close();
  }
});
