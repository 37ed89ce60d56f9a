import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { newChannel, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
let message_id: string;
beforeAll(async () => {
  fixture = await startWebhookDelivery('webhook_messages', { replicas: 2 });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
  const request = { ...credentialOf(webhook), body: bodyOf({ content: 'Mine' }), wait: '1' };
  message_id = (await fixture.client.executeWebhook(request, anonymous)).message?.id ?? '';
});

const named = () => ({ ...credentialOf(webhook), message_id });
const read = (more: object = {}) => fixture.client.getWebhookMessage({ ...named(), ...more }, anonymous);
const edit = (body: unknown, more: object = {}, replica = 0) =>
  replicaOf(fixture, replica).updateWebhookMessage({ ...named(), body: bodyOf(body), ...more }, anonymous);
const remove = (more: object = {}, replica = 0) =>
  replicaOf(fixture, replica).deleteWebhookMessage({ ...named(), ...more }, anonymous);
const move = (channel_id: string) =>
  fixture.client.updateWebhook({ webhook_id: webhook.id, avatar: null, channel_id }, as(MANAGER));

/** Reading, editing and deleting a message. */
const ROUTES: readonly [string, (more?: object) => Promise<unknown>][] = [
  ['reading', (more) => read(more)],
  ['editing', (more) => edit({ content: 'x' }, more)],
  ['deleting', (more) => remove(more)],
];

describe.each(ROUTES)('%s', (_, call) => {
  it('finds a message that the webhook posted', async () => {
    await call();
  });

  it('is refused to another webhook of the channel', async () => {
    const other = await addWebhook(fixture, { channel_id: webhook.channel_id });
    expect(await reasonOf(call(credentialOf(other)))).toBe('MISSING_PERMISSIONS');
  });

  it('does not find an unknown message', async () => {
    for (const unknown of ['12345', '0', '9223372036854775807'])
      expect(await reasonOf(call({ message_id: unknown }))).toBe('UNKNOWN_MESSAGE');
    for (const wrong of ['', 'x', '-1', '9223372036854775808'])
      expect(await refusalOf(call({ message_id: wrong }))).toEqual([
        'INVALID_FORM_BODY',
        'message_id INVALID_SNOWFLAKE_FORMAT',
      ]);
  });

  it('finds messages in the current channel of the webhook: not after a move, but after a move back', async () => {
    fixture.channels.set('62', GUILD);
    await move('62');
    expect(await reasonOf(call())).toBe('UNKNOWN_MESSAGE');
    await move(webhook.channel_id);
    await call();
  });
});

describe('an edit', () => {
  it('is passed to chat, which checks it', async () => {
    const embeds = [{ title: 'T', fields: [{ name: 'a', value: 'b' }] }];
    const allowed_mentions = { parse: ['users'], users: ['1'], roles: [], replied_user: true };
    const { message } = await edit({ content: ' x ', embeds, flags: 4100, allowed_mentions, tts: 5 });
    expect(message).toMatchObject({ id: message_id, content: ' x ' });
    expect(fixture.edits.at(-1)).toMatchObject({
      webhook_id: webhook.id,
      channel_id: webhook.channel_id,
      message_id,
      content: { value: ' x ' },
      embeds: { items: [{ title: 'T', fields: [{ name: 'a', value: 'b' }] }] },
      flags: 4100,
      allowed_mentions,
    });
  });

  it('distinguishes absent, null and empty members', async () => {
    const asked = async (body: object) => {
      await edit(body);
      const { content = null, embeds = null, flags = null } = fixture.edits.at(-1) ?? {};
      return { content, embeds, flags };
    };
    const nothing = { content: null, embeds: null, flags: null };
    expect(await asked({})).toEqual(nothing);
    expect(await asked({ content: null })).toMatchObject({ content: { value: null } });
    expect(await asked({ content: '' })).toMatchObject({ content: { value: '' } });
    expect(await asked({ embeds: null })).toEqual(nothing);
    expect(await asked({ embeds: [] })).toMatchObject({ content: null, embeds: { items: [] } });
    expect(await asked({ flags: 0 })).toMatchObject({ embeds: null, flags: 0 });
    expect(await asked({ flags: null, username: 'x', attachments: 1 })).toEqual(nothing);
  });

  it('with members of a wrong type is refused, with a violation for each', async () => {
    const body = {
      content: 1,
      embeds: [{ title: [], color: 'red' }, 7],
      flags: 0.5,
      allowed_mentions: { users: ['x'] },
    };
    expect(await refusalOf(edit(body))).toEqual([
      'INVALID_FORM_BODY',
      'content INVALID_FORMAT',
      'embeds.0.title INVALID_FORMAT',
      'embeds.0.color INVALID_FORMAT',
      'embeds.1 INVALID_FORMAT',
      'flags VALUE_MUST_BE_INTEGER_IN_RANGE',
      'allowed_mentions.users.0 INVALID_SNOWFLAKE_FORMAT',
    ]);
    expect(await refusalOf(edit({ embeds: Array(11).fill(7) }))).toEqual([
      'INVALID_FORM_BODY',
      'embeds TOO_MANY_EMBEDS',
    ]);
    expect(await refusalOf(edit({ embeds: {} }))).toEqual(['INVALID_FORM_BODY', 'embeds INVALID_FORMAT']);
  });

  it.each(['', '[]', 'null', '"x"', '{', '{"content": "x",}', '\u0000', 'payload={}'])(
    'that is not a JSON object is refused: %j',
    async (text) => {
      expect(await refusalOf(edit(Buffer.from(text)))).toEqual(['INVALID_FORM_BODY', 'body INVALID_FORMAT']);
    },
  );

  it('refuses multipart bodies, and accepts JSON with any other content type', async () => {
    const multipart = { content_type: 'multipart/form-data; boundary=x' };
    expect(await refusalOf(edit({ content: 'x' }, multipart))).toEqual([
      'INVALID_FORM_BODY',
      'body INVALID_FORMAT',
    ]);
    for (const content_type of ['', 'text/plain', 'application/x-www-form-urlencoded'])
      expect((await edit({ content: content_type }, { content_type })).message?.content).toBe(content_type);
  });
});

describe('concurrently', () => {
  it('one of many concurrent deletions succeeds', async () => {
    const calls = await Promise.allSettled(Array.from({ length: 32 }, (_, n) => remove({}, n % 2)));
    const outcomes = calls.map((call) => (call.status === 'rejected' ? call.reason.reason : 'deleted'));
    expect(outcomes.sort()).toEqual([...Array(31).fill('UNKNOWN_MESSAGE'), 'deleted']);
  });

  it('an edit that begins after a move of the webhook does not find the message', async () => {
    fixture.channels.set('62', GUILD);
    const edits = (word: string) => Array.from({ length: 16 }, (_, n) => edit({ content: word }, {}, n % 2));
    const racing = edits('racing');
    const moved = move('62');
    const outcomes = await Promise.allSettled(racing);
    await moved;
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.reason).toBe('UNKNOWN_MESSAGE');
    const reasons = await Promise.all(edits('late').map(reasonOf));
    expect(new Set(reasons)).toEqual(new Set(['UNKNOWN_MESSAGE']));
    expect(fixture.messages.get(message_id)?.content).not.toBe('late');
  });
});
