import { faultOf, reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  bodyOf,
  credentialOf,
  lastPosted,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
beforeAll(async () => {
  fixture = await startWebhookDelivery('execute_webhook');
  webhook = await addWebhook(fixture);
});
afterAll(() => fixture.close());

interface RequestOptions {
  readonly wait?: string;
  readonly content_type?: string;
  readonly webhook_id?: string;
  readonly token?: string;
}

function execute(body: unknown, options: RequestOptions = {}) {
  return fixture.client.executeWebhook(
    { ...credentialOf(webhook), body: bodyOf(body), ...options },
    anonymous,
  );
}

describe('an execution', () => {
  it('posts as the webhook, in its channel', async () => {
    const { message } = await execute({ content: 'Hello' }, { wait: 'true' });
    expect(message).toMatchObject({
      channel_id: webhook.channel_id,
      webhook_id: webhook.id,
      content: 'Hello',
      author: { id: webhook.id, username: 'Deploys', avatar: null, bot: true },
    });
  });

  it('passes all members to chat, which checks them', async () => {
    const embeds = [{ title: 'T', fields: [{ name: 'a', value: 'b' }] }];
    const allowed_mentions = { parse: ['users'], users: ['1'], roles: [], replied_user: true };
    await execute({ content: ' x ', embeds, flags: 4100, allowed_mentions });
    expect(lastPosted(fixture)).toMatchObject({
      content: ' x ',
      embeds: [{ title: 'T', fields: [{ name: 'a', value: 'b' }] }],
      flags: 4100,
      allowed_mentions,
    });
    expect(lastPosted(fixture).deduplication_key ?? null).toBeNull();
  });

  it('sends no allowed_mentions by default', async () => {
    await execute({ content: '@everyone' });
    expect(lastPosted(fixture).allowed_mentions ?? null).toBeNull();
  });

  it.each([
    ['true', true],
    ['True', true],
    ['1', true],
    ['TRUE', false],
    ['yes', false],
    ['0', false],
    ['false', false],
    ['', false],
    [' true', false],
    [undefined, false],
  ])('wait=%s returns the message: %s', async (wait, waits) => {
    const { message } = await execute({ content: 'x' }, wait === undefined ? {} : { wait });
    expect((message ?? null) !== null).toBe(waits);
  });

  it.each<object>([
    { attachments: [{ id: 0 }] },
    { attachments: 'x' },
    { message_reference: { message_id: '1' } },
    { sticker_ids: ['1'] },
    { nonce: 'n' },
    { nonce: 7 },
    { tts: true },
    { tts: 'loud' },
    { avatar_url: 'https://x.test/a.png' },
    { avatar_url: 5 },
    { components: [{}] },
    { thread_name: 'x', applied_tags: ['1'] },
    { constructor: 1 },
  ])('accepts and ignores %j', async (ignored) => {
    const { message } = await execute({ ...ignored, content: 'x' }, { wait: '1' });
    expect(message).toMatchObject({ content: 'x', tts: false, attachments: [] });
  });

  it.each([
    undefined,
    '',
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
  ])('accepts JSON with the content type %s', async (content_type) => {
    const { message } = await execute({ content: 'x' }, { wait: '1', ...(content_type && { content_type }) });
    expect(message?.content).toBe('x');
  });
});

describe('the username of an execution', () => {
  it('replaces the stored name for that message only', async () => {
    const { message } = await execute({ content: 'x', username: ' Night watch ' }, { wait: '1' });
    expect(message?.author?.username.trim()).toBe('Night watch');
    const read = await fixture.client.getTokenWebhook(credentialOf(webhook), anonymous);
    expect(read.webhook?.name).toBe('Deploys');
    const next = await execute({ content: 'x', username: null }, { wait: '1' });
    expect(next.message?.author?.username).toBe('Deploys');
  });

  it('is passed to chat unchanged', async () => {
    for (const username of [` ${'🚪'.repeat(80)} `, 'Night watch']) {
      await execute({ content: 'x', username });
      expect(lastPosted(fixture).username).toBe(username);
    }
  });
});

describe('a body', () => {
  it.each([['multipart/form-data; boundary=x'], ['Multipart/Form-Data'], [' multipart/mixed']])(
    'of type %s is refused',
    async (content_type) => {
      const refusal = await refusalOf(execute({ content: 'x' }, { content_type }));
      expect(refusal).toEqual(['INVALID_FORM_BODY', 'body INVALID_FORMAT']);
    },
  );

  it.each(['', '[]', 'null', '"x"', '1', '{', '{"content": "x",}', '\u0000', 'payload={}'])(
    'that is not a JSON object is refused: %j',
    async (text) => {
      expect(await refusalOf(execute(Buffer.from(text)))).toEqual([
        'INVALID_FORM_BODY',
        'body INVALID_FORMAT',
      ]);
    },
  );

  it('with members of a wrong type is refused, with a violation for each', async () => {
    const body = {
      content: 1,
      embeds: [{ title: [], color: 'red' }, 7],
      flags: 0.5,
      username: {},
      allowed_mentions: { users: ['x'] },
    };
    expect(await refusalOf(execute(body))).toEqual([
      'INVALID_FORM_BODY',
      'content INVALID_FORMAT',
      'embeds.0.title INVALID_FORMAT',
      'embeds.0.color INVALID_FORMAT',
      'embeds.1 INVALID_FORMAT',
      'flags VALUE_MUST_BE_INTEGER_IN_RANGE',
      'username INVALID_FORMAT',
      'allowed_mentions.users.0 INVALID_SNOWFLAKE_FORMAT',
    ]);
  });

  it.each<[unknown, string]>([
    ['all', ' INVALID_FORMAT'],
    [[], ' INVALID_FORMAT'],
    [{ parse: 'users' }, '.parse INVALID_FORMAT'],
    [{ users: 'all' }, '.users INVALID_FORMAT'],
    [{ users: [5.5] }, '.users.0 INVALID_SNOWFLAKE_FORMAT'],
    [{ users: ['4', '0x4'] }, '.users.1 INVALID_SNOWFLAKE_FORMAT'],
    [{ roles: ['x'] }, '.roles.0 INVALID_SNOWFLAKE_FORMAT'],
  ])('with the allowed_mentions %j is refused, with its path', async (allowed_mentions, at) => {
    expect(await refusalOf(execute({ content: 'x', allowed_mentions }))).toEqual([
      'INVALID_FORM_BODY',
      `allowed_mentions${at}`,
    ]);
  });

  it.each<[object, string]>([
    [{ embeds: {} }, 'embeds INVALID_FORMAT'],
    [{ embeds: [{ title: 'x', color: 1.5 }] }, 'embeds.0.color VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ embeds: [{ fields: 'x' }] }, 'embeds.0.fields INVALID_FORMAT'],
    ...['4', true, {}].map((flags): [object, string] => [{ content: 'x', flags }, 'flags INVALID_FORMAT']),
    ...[1.5, 1e300].map((flags): [object, string] => [
      { content: 'x', flags },
      'flags VALUE_MUST_BE_INTEGER_IN_RANGE',
    ]),
  ])('with %j is refused, with its path', async (body, violation) => {
    expect(await refusalOf(execute(body))).toEqual(['INVALID_FORM_BODY', violation]);
  });

  it('may have members with the names of inherited ones, which are ignored', async () => {
    const named =
      '"__proto__":{"content":"evil","embeds":[{"title":"evil"}]},"toString":1,"hasOwnProperty":null';
    expect(await reasonOf(execute(Buffer.from(`{${named}}`)))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    const { message } = await execute(Buffer.from(`{"content":"x",${named}}`), { wait: '1' });
    expect(message).toMatchObject({ content: 'x', embeds: [] });
  });

  it('with too many embeds is refused before its embeds are checked', async () => {
    expect(await refusalOf(execute({ embeds: Array(11).fill(7) }))).toEqual([
      'INVALID_FORM_BODY',
      'embeds TOO_MANY_EMBEDS',
    ]);
  });

  it('that chat refuses is refused with the error of chat', async () => {
    expect(await reasonOf(execute({}))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    expect(await refusalOf(execute({ content: 'x'.repeat(4001) }))).toEqual([
      'INVALID_FORM_BODY',
      'content CONTENT_EXCEEDS_MAX_LENGTH',
    ]);
  });
});

it('an execution is UNAVAILABLE while chat is, and succeeds afterwards', async () => {
  await fixture.stopChat();
  const { reason, violations } = await faultOf(execute({ content: 'x' }));
  expect([reason, violations]).toEqual(['SERVICE_UNAVAILABLE', []]);
  // Reading the webhook needs no chat.
  await fixture.client.getTokenWebhook(credentialOf(webhook), anonymous);
  expect(await reasonOf(execute({ content: 'x' }, { token: 'x' }))).toBe('UNAUTHORIZED');

  await fixture.startChat();
  await expect
    .poll(() =>
      execute({ content: 'Back' }, { wait: '1' }).then(
        ({ message }) => message?.content,
        () => 'down',
      ),
    )
    .toBe('Back');
});
