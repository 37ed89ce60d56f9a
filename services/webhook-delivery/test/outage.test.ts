import { reasonOf } from '@gatehouse/dev-env/faults';
import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import { expect, test } from 'vitest';
import { addWebhook, anonymous, startWebhookDelivery } from './start-webhook-delivery.ts';

test('every RPC is 503 while the database is unavailable, and succeeds afterwards', async () => {
  const proxy = await startTcpProxy();
  const fixture = await startWebhookDelivery('webhooks_outage', { through: proxy.through });
  const { client } = fixture;
  try {
    const { id, token } = await addWebhook(fixture);
    const credential = { webhook_id: id, token };
    const get = () => client.getTokenWebhook(credential, anonymous);
    const before = await get();

    proxy.cut();
    const calls = [get(), client.getWebhookMessage({ ...credential, message_id: '1' }, anonymous)];
    expect(await Promise.all(calls.map(reasonOf))).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));

    proxy.restore();
    await expect.poll(get).toEqual(before);
  } finally {
    proxy.restore();
    await fixture.close();
    proxy.close();
  }
});
