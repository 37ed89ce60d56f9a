import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ProviderRequest, renderProvider } from '../src/render.ts';
import { push, repository, sender } from './codehost/codehost-fixtures.ts';
import {
  addWebhook,
  anonymous,
  bodyOf,
  credentialOf,
  lastPosted,
  startWebhookDelivery,
  type WebhookDelivery,
} from './start-webhook-delivery.ts';
import { type ExecutionHeaders, execute, newChannel } from './support.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
beforeAll(async () => {
  fixture = await startWebhookDelivery('render');
});
afterAll(() => fixture.close());
beforeEach(async () => {
  webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
});

/** A message without absent members, which may be null after a call. */
const present = (message: object): unknown =>
  JSON.parse(JSON.stringify(message, (_, value) => value ?? undefined));

const shown = { text: ' x ', ...push, repository, sender, component: {} };
const form = Buffer.from(`payload=${encodeURIComponent(JSON.stringify(shown))}`);
const asForm = { content_type: 'application/x-www-form-urlencoded', event: 'push' };
const asMultipart = { content_type: 'multipart/form-data; boundary=x', event: 'push' };

describe('rendering without a server returns the posted message, or the stored reason', () => {
  it.each<[dialect: ProviderRequest['dialect'], what: string, body: unknown, sent: ExecutionHeaders]>([
    ['chatcompat', 'a message', { text: ' x ', username: 'me', attachments: [{ title: 'y' }] }, {}],
    ['chatcompat', 'nothing', { attachments: [] }, {}],
    ['chatcompat', 'a long text', { text: 'x'.repeat(4001) }, {}],
    ['chatcompat', 'a form', form, asForm],
    ['chatcompat', 'multipart', shown, asMultipart],
    ['codehost', 'a push', shown, { event: 'push' }],
    ['codehost', 'another event', shown, { event: 'issues' }],
    ['codehost', 'no event', shown, {}],
    ['codehost', 'broken JSON', Buffer.from('{'), { event: 'push' }],
    ['codehost', 'a form', form, asForm],
    ['codehost', 'multipart', shown, asMultipart],
    ['statuspage', 'an incident', { incident: { name: 'x', status: 'resolved' } }, {}],
    ['statuspage', 'nothing', {}, {}],
    ['statuspage', 'a form', form, asForm],
    ['statuspage', 'multipart', shown, asMultipart],
  ])('%s: %s', async (dialect, _, value, sent) => {
    const body = bodyOf(value);
    const { content_type, event } = sent;
    const rendered = renderProvider({ dialect, body, content_type, event });
    await execute(fixture, dialect, { ...credentialOf(webhook), body, ...sent });
    const { deliveries } = await fixture.client.listDeliveries({ webhook_id: webhook.id }, anonymous);
    if ('message' in rendered) {
      const { username, content, embeds } = lastPosted(fixture);
      const expected = { ...rendered.message, username: rendered.message.username ?? webhook.name };
      expect(present({ username, content, embeds })).toEqual(present(expected));
      expect(deliveries).toEqual([]);
    } else {
      const { outcome, reason } = rendered;
      expect(deliveries).toMatchObject([{ dialect, outcome, reason }]);
    }
  });
});
