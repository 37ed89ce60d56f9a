import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  bodyOf,
  credentialOf,
  GUILD,
  lastPosted,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { postedBy } from '../support.ts';
import { FORM_TYPE, MULTIPART_TYPE } from './bodies.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
beforeAll(async () => {
  fixture = await startWebhookDelivery('statuspage');
  webhook = await addWebhook(fixture, { name: 'Ops' });
});
afterAll(() => fixture.close());

const notification = { incident: { name: '@everyone <@1> Slow & "sore"', status: 'investigating' } };

interface RequestOptions {
  readonly content_type?: string;
  readonly webhook_id?: string;
  readonly token?: string;
}

function statuspage(body: unknown, options: RequestOptions = {}) {
  return fixture.client.executeStatuspage(
    { ...credentialOf(webhook), body: bodyOf(body), ...options },
    anonymous,
  );
}

it('posts one embed as "Status page", without content and avatar, and mentions nobody', async () => {
  expect(await postedBy(fixture, () => statuspage(notification))).toBe(1);
  const posted = lastPosted(fixture);
  expect(posted).toMatchObject({
    webhook_id: webhook.id,
    channel_id: webhook.channel_id,
    username: 'Status page',
    embeds: [{ title: '@everyone <@1> Slow & "sore"', color: 0xe23c39 }],
    allowed_mentions: { parse: [], users: [], roles: [] },
  });
  expect(posted.embeds).toHaveLength(1);
  expect([posted.content, posted.avatar, posted.deduplication_key].map((each) => each ?? null)).toEqual([
    null,
    null,
    null,
  ]);
});

it('posts a repeated notification again, also concurrently', async () => {
  const calls = () => Promise.all(Array.from({ length: 16 }, () => statuspage(notification)));
  expect(await postedBy(fixture, calls)).toBe(16);
});

it('checks unknown ID, wrong token, multipart, then the body', async () => {
  const broken = Buffer.from('{');
  const multipart = { content_type: MULTIPART_TYPE };
  expect(await reasonOf(statuspage(broken, { ...multipart, webhook_id: '12345' }))).toBe('NOT_FOUND');
  expect(await reasonOf(statuspage(broken, { ...multipart, token: 'x' }))).toBe('UNAUTHORIZED');
  expect(await reasonOf(statuspage(notification, { token: webhook.token.slice(1) }))).toBe('UNAUTHORIZED');
  expect(await refusalOf(statuspage(notification, multipart))).toEqual([
    'INVALID_FORM_BODY',
    'body INVALID_FORMAT',
  ]);
  expect(await refusalOf(statuspage(broken, { webhook_id: '0x1' }))).toEqual([
    'INVALID_FORM_BODY',
    'webhook_id INVALID_SNOWFLAKE_FORMAT',
  ]);
  expect(await postedBy(fixture, () => statuspage(broken))).toBe(0);
});

it('accepts JSON with any content type, and in a form', async () => {
  for (const content_type of ['application/json', 'text/plain; charset=latin1', ';;', FORM_TYPE, '']) {
    expect(await postedBy(fixture, () => statuspage(notification, { content_type }))).toBe(1);
  }
  const form = new URLSearchParams({ x: 'payload={}', payload: JSON.stringify(notification) });
  const posted = await postedBy(fixture, () =>
    statuspage(Buffer.from(`${form}`), { content_type: `${FORM_TYPE}; charset=utf-8` }),
  );
  expect(posted).toBe(1);
  expect(lastPosted(fixture).embeds[0]?.title).toBe(notification.incident.name);
});

it('succeeds without a message for a notification that renders nothing', async () => {
  const silent: [unknown, RequestOptions?][] = [
    [Buffer.from('')],
    [Buffer.from('{broken')],
    [Buffer.from([0xff, 0xfe])],
    [[notification]],
    [null],
    [{}],
    [{ incident: { name: ' ' }, component: { name: 'Disk' } }],
    [Buffer.from('payload=x'), { content_type: FORM_TYPE }],
    [Buffer.from('a=b'), { content_type: FORM_TYPE }],
  ];
  for (const [body, options] of silent)
    expect(await postedBy(fixture, () => statuspage(body, options))).toBe(0);
});

it('succeeds without a message if chat refuses the embed, because the status page could not fix it', async () => {
  fixture.refused.add(webhook.id);
  expect(await postedBy(fixture, () => statuspage(notification))).toBe(0);
  fixture.refused.delete(webhook.id);
  expect(await postedBy(fixture, () => statuspage(notification))).toBe(1);
});

it('returns the errors of a missing channel, and of an unavailable chat', async () => {
  fixture.channels.set('66', GUILD);
  const homeless = credentialOf(await addWebhook(fixture, { channel_id: '66' }));
  fixture.channels.delete('66');
  expect(await reasonOf(statuspage(notification, homeless))).toBe('NOT_FOUND');

  await fixture.stopChat();
  expect(await reasonOf(statuspage(notification))).toBe('SERVICE_UNAVAILABLE');
  // A notification that renders nothing does not need chat.
  await statuspage({});
  await fixture.startChat();
});
