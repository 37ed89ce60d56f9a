import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { push, repository, sender } from '../codehost/codehost-fixtures.ts';
import {
  addWebhook,
  anonymous,
  bodyOf,
  CHANNEL,
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
  fixture = await startWebhookDelivery('providers');
  webhook = await addWebhook(fixture);
});
afterAll(() => fixture.close());

interface RequestOptions {
  readonly content_type?: string;
  readonly webhook_id?: string;
  readonly token?: string;
  readonly event?: string;
  readonly delivery?: string;
}

function chatcompat(body: unknown, options: RequestOptions = {}) {
  return fixture.client.executeChatcompat(
    { ...credentialOf(webhook), body: bodyOf(body), ...options },
    anonymous,
  );
}

function codehost(body: unknown, options: RequestOptions = {}) {
  return fixture.client.executeCodehost(
    { ...credentialOf(webhook), event: 'push', body: bodyOf(body), ...options },
    anonymous,
  );
}

const formOf = (value: unknown) =>
  Buffer.from(new URLSearchParams({ payload: JSON.stringify(value) }).toString());
const delivery = { ...push, repository, sender };

describe('both routes', () => {
  it.each([
    ['chatcompat', chatcompat],
    ['codehost', codehost],
  ])('%s checks unknown ID, wrong token, multipart, then the body', async (_, run) => {
    const broken = Buffer.from('{');
    expect(await reasonOf(run(broken, { webhook_id: '12345', content_type: MULTIPART_TYPE }))).toBe(
      'NOT_FOUND',
    );
    expect(await reasonOf(run(broken, { token: 'x', content_type: MULTIPART_TYPE }))).toBe('UNAUTHORIZED');
    expect(await refusalOf(run(broken, { content_type: MULTIPART_TYPE }))).toEqual([
      'INVALID_FORM_BODY',
      'body INVALID_FORMAT',
    ]);
    expect(await refusalOf(run(broken, { webhook_id: '-1' }))).toEqual([
      'INVALID_FORM_BODY',
      'webhook_id INVALID_SNOWFLAKE_FORMAT',
    ]);
  });

  it.each<[string, typeof chatcompat, object]>([
    ['chatcompat', chatcompat, { text: 'a & b = c + "d" 🚪' }],
    ['codehost', codehost, delivery],
  ])('%s accepts JSON with any content type, and in a form', async (_, run, payload) => {
    for (const content_type of [
      'application/json',
      'text/plain',
      'application/octet-stream',
      FORM_TYPE,
      '',
    ]) {
      expect(await postedBy(fixture, () => run(payload, { content_type }))).toBe(1);
    }
    expect(await postedBy(fixture, () => run(payload))).toBe(1);
    const form = `${FORM_TYPE}; charset=utf-8`;
    expect(await postedBy(fixture, () => run(formOf(payload), { content_type: form }))).toBe(1);
    if ('text' in payload) expect(lastPosted(fixture).content).toBe(payload.text);
  });
});

describe('chatcompat', () => {
  it('posts text and attachments under the given name, and mentions nobody', async () => {
    await chatcompat({
      text: ' @everyone <@1> ',
      username: 'Alerts',
      icon_url: 'https://x.test/i.png',
      attachments: [{ title: 'Disk full' }],
    });
    expect(lastPosted(fixture)).toMatchObject({
      webhook_id: webhook.id,
      channel_id: webhook.channel_id,
      username: 'Alerts',
      content: '@everyone <@1>',
      embeds: [{ title: 'Disk full' }],
      allowed_mentions: { parse: [], users: [], roles: [] },
    });
  });

  it('posts under the stored name by default, also when repeated', async () => {
    expect(await postedBy(fixture, () => chatcompat({ text: 'again' }))).toBe(1);
    expect(await postedBy(fixture, () => chatcompat({ text: 'again', username: ' ' }))).toBe(1);
    expect(lastPosted(fixture)).toMatchObject({ username: 'Deploys', embeds: [] });
  });

  it.each([
    ['another charset', 'application/json; charset=iso-8859-1', '{"text":"é"}'],
    ['an unknown charset', 'application/json; charset=x', '{"text":"é"}'],
    ['an unknown content type', '/;;=', '{"text":"é"}'],
    ['another type', 'application/xml', '{"text":"é"}'],
    ['a byte order mark', 'application/json', '\ufeff{"text":"é"}'],
    ['line breaks around', 'application/json', '\r\n{"text":"é"}\r\n\n'],
    ['a form that ends in a line break', FORM_TYPE, 'payload={"text":"é"}\r\n'],
    [
      'a form with its name in another case',
      FORM_TYPE.toUpperCase(),
      'payload=%7B%22text%22:%22%C3%A9%22%7D',
    ],
    ['a form with other fields', FORM_TYPE, 'token=x&payload={"text":"é"}&payload={"text":"no"}'],
  ])('reads UTF-8, whatever the headers: %s', async (_, content_type, text) => {
    expect(await postedBy(fixture, () => chatcompat(Buffer.from(text), { content_type }))).toBe(1);
    expect(lastPosted(fixture).content).toBe('é');
  });

  it('refuses JSON in another encoding', async () => {
    const content_type = 'application/json; charset=iso-8859-1';
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const body = Buffer.from('{"text":"é"}', encoding);
      expect(await refusalOf(chatcompat(body, { content_type }))).toEqual([
        'INVALID_FORM_BODY',
        'body INVALID_FORMAT',
      ]);
    }
  });

  it.each(['', '{', '[]', 'null', 'payload={"text":"x"}'])('refuses broken JSON: %j', async (text) => {
    expect(await refusalOf(chatcompat(Buffer.from(text)))).toEqual([
      'INVALID_FORM_BODY',
      'body INVALID_FORMAT',
    ]);
  });

  it.each(['', 'payload=', 'payload={', 'text=x', 'payload=%7B', 'payload=[]'])(
    'refuses a form without a JSON object: %j',
    async (text) => {
      const refusal = await refusalOf(chatcompat(Buffer.from(text), { content_type: FORM_TYPE }));
      expect(refusal).toEqual(['INVALID_FORM_BODY', 'body INVALID_FORMAT']);
    },
  );

  it('refuses an empty payload, and texts over their limits with their paths', async () => {
    expect(await refusalOf(chatcompat({ username: 'x', attachments: [{}] }))).toEqual(['BAD_REQUEST']);
    expect(await refusalOf(chatcompat({ text: 'x'.repeat(4001) }))).toEqual([
      'INVALID_FORM_BODY',
      'text CONTENT_EXCEEDS_MAX_LENGTH',
    ]);
    expect(await refusalOf(chatcompat({ text: 'x', username: 'x'.repeat(81) }))).toEqual([
      'INVALID_FORM_BODY',
      'username WEBHOOK_NAME_LENGTH_INVALID',
    ]);
  });
});

describe('codehost', () => {
  it('posts one embed under its own name, without picture or text, and mentions nobody', async () => {
    await codehost(delivery, { delivery: 'first' });
    expect(lastPosted(fixture)).toMatchObject({
      webhook_id: webhook.id,
      channel_id: webhook.channel_id,
      username: 'Code host',
      embeds: [{ title: '[hall:main] 1 new commit' }],
      allowed_mentions: { parse: [], users: [], roles: [] },
      deduplication_key: 'first',
    });
    expect(lastPosted(fixture).avatar ?? null).toBeNull();
    expect(lastPosted(fixture).content ?? null).toBeNull();
  });

  it('succeeds without a message for an event that renders nothing', async () => {
    const silent: [unknown, RequestOptions][] = [
      [Buffer.from('{broken'), {}],
      [Buffer.from(''), {}],
      [Buffer.from([0xff, 0xfe]), {}],
      [[delivery], {}],
      [null, {}],
      [Buffer.from('payload=x'), { content_type: FORM_TYPE }],
      [delivery, { event: 'ping' }],
      [delivery, { event: '' }],
      [{ ...delivery, repository: undefined }, {}],
    ];
    for (const [body, options] of silent)
      expect(await postedBy(fixture, () => codehost(body, options))).toBe(0);
    const withoutEvent = { ...credentialOf(webhook), body: bodyOf(delivery) };
    expect(await postedBy(fixture, () => fixture.client.executeCodehost(withoutEvent, anonymous))).toBe(0);
  });

  it('posts a delivery once for each webhook', async () => {
    const once = { delivery: 'a-delivery' };
    expect(await postedBy(fixture, () => codehost(delivery, once))).toBe(1);
    expect(await postedBy(fixture, () => codehost(delivery, once))).toBe(0);
    const other = credentialOf(await addWebhook(fixture));
    expect(await postedBy(fixture, () => codehost(delivery, { ...once, ...other }))).toBe(1);
  });

  it('keeps the delivery ID free if nothing renders', async () => {
    const once = { delivery: 'retried' };
    expect(await postedBy(fixture, () => codehost(Buffer.from('{'), once))).toBe(0);
    expect(await postedBy(fixture, () => codehost(delivery, once))).toBe(1);
  });

  it('does not deduplicate an empty delivery ID', async () => {
    for (const blank of ['', ' ']) {
      expect(await postedBy(fixture, () => codehost(delivery, { delivery: blank }))).toBe(1);
      expect(await postedBy(fixture, () => codehost(delivery, { delivery: blank }))).toBe(1);
    }
  });

  it('distinguishes very long delivery IDs', async () => {
    const long = { delivery: 'd'.repeat(8000) };
    expect(await postedBy(fixture, () => codehost(delivery, long))).toBe(1);
    expect(await postedBy(fixture, () => codehost(delivery, long))).toBe(0);
    expect(await postedBy(fixture, () => codehost(delivery, { delivery: `${'d'.repeat(7999)}e` }))).toBe(1);
  });
});

it('both return the errors of a missing channel, and of an unavailable chat', async () => {
  fixture.channels.set('66', GUILD);
  const homeless = credentialOf(await addWebhook(fixture, { channel_id: '66' }));
  fixture.channels.delete('66');
  expect(await reasonOf(chatcompat({ text: 'x' }, homeless))).toBe('NOT_FOUND');
  expect(await reasonOf(codehost(delivery, homeless))).toBe('NOT_FOUND');
  expect(fixture.channels.has(CHANNEL)).toBe(true);

  await fixture.stopChat();
  expect(await reasonOf(chatcompat({ text: 'x' }))).toBe('SERVICE_UNAVAILABLE');
  expect(await reasonOf(codehost(delivery))).toBe('SERVICE_UNAVAILABLE');
  // An event that renders nothing does not need chat.
  await codehost(delivery, { event: 'ping' });
});
