import { reasonOf } from '@gatehouse/dev-env/faults';
import { createLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onePixel } from '../../../media/client/test/pictures.ts';
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

let fixture: WebhookDelivery;
const lines: string[] = [];
beforeAll(async () => {
  const destination = { write: (line: string) => lines.push(line) };
  fixture = await startWebhookDelivery('token_logs', {
    log: createLogger({ name: 'webhook-delivery', level: 'trace', destination }),
  });
});
afterAll(() => fixture.close());

it('no log line contains a token, of successful, refused and failed requests', async () => {
  const webhook = await addWebhook(fixture);
  const credential = credentialOf(webhook);
  const wrong = { ...credential, token: `${webhook.token.slice(0, -6)}wrong!` };
  const body = (value: unknown) => ({ body: bodyOf(value) });
  const avatar = onePixel('red').toString('base64');

  async function useEverything(message_id: string): Promise<void> {
    const { client } = fixture;
    await Promise.allSettled(
      [credential, wrong].flatMap((used) => [
        client.getTokenWebhook(used, anonymous),
        client.updateTokenWebhook({ ...used, ...body({ name: 'x', avatar }) }, anonymous),
        client.updateTokenWebhook({ ...used, ...body({ name: '', token: used.token }) }, anonymous),
        client.executeWebhook({ ...used, ...body({ content: used.token }) }, anonymous),
        client.executeWebhook({ ...used, ...body({}) }, anonymous),
        client.executeChatcompat({ ...used, ...body({ text: used.token }) }, anonymous),
        client.executeCodehost({ ...used, event: 'public', ...body({ repository: {} }) }, anonymous),
        client.getWebhookMessage({ ...used, message_id }, anonymous),
        client.updateWebhookMessage({ ...used, message_id, ...body({ content: used.token }) }, anonymous),
        client.deleteWebhookMessage({ ...used, message_id: '1' }, anonymous),
        client.getWebhook({ webhook_id: used.webhook_id }, as(MANAGER)),
      ]),
    );
  }
  const { message } = await fixture.client.executeWebhook(
    { ...credential, ...body({ content: 'x' }), wait: 'true' },
    anonymous,
  );
  await useEverything(message?.id ?? '');
  await fixture.stopChat();
  await fixture.stopMedia();
  await useEverything(message?.id ?? '');
  await fixture.client.deleteTokenWebhook(credential, anonymous);
  expect(await reasonOf(fixture.client.deleteTokenWebhook(credential, anonymous))).toBe('NOT_FOUND');

  expect(lines.join('')).toContain('WebhookDeliveryService/DeleteTokenWebhook');
  const start = webhook.token.slice(0, 16);
  expect(lines.filter((line) => line.includes(start))).toEqual([]);
});
