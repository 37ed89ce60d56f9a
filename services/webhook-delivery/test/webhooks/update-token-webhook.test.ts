import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  CHANNEL,
  credentialOf,
  GUILD,
  lastPosted,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { changesOf, newChannel, outcomesOf, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('update_token_webhook', { replicas: 2 });
  fixture.channels.set('62', GUILD);
});
afterAll(() => fixture.close());

const update = (webhook: Webhook, body: unknown, replica = 0, content_type: string | null = null) =>
  replicaOf(fixture, replica).updateTokenWebhook(
    { ...credentialOf(webhook), body: bodyOf(body), content_type },
    anonymous,
  );
const read = async (webhook: Webhook) =>
  (await fixture.client.getTokenWebhook(credentialOf(webhook), anonymous)).webhook;
/** The changes that chat received after the creation. */
const laterChangesOf = (webhook: Webhook) => changesOf(fixture, webhook).slice(1);

let lastGuild = 8000;
/** A webhook in a guild of its own. */
function newWebhook(): Promise<Webhook> {
  return addWebhook(fixture, { channel_id: newChannel(fixture, String(++lastGuild)) });
}

const RED = onePixel('red');
const red = RED.toString('base64');

describe('a holder of the token', () => {
  it('changes the name and the avatar, and sees the webhook without its creator', async () => {
    const webhook = await newWebhook();
    const { user: _, ...before } = webhook;
    const renamed = { ...before, name: 'Night watch' };
    expect((await update(webhook, { name: '  Night watch ' })).webhook).toEqual(renamed);
    const shown = { ...renamed, avatar: pictureHash(RED) };
    expect((await update(webhook, { avatar: red })).webhook).toEqual(shown);
    expect(fixture.media.published).toContain(pictureHash(RED));
    expect(await read(webhook)).toEqual(shown);
    expect((await update(webhook, { name: 'Both', avatar: null })).webhook).toEqual({
      ...before,
      name: 'Both',
    });
  });

  it('keeps absent members, and a name that is null', async () => {
    const webhook = await newWebhook();
    await update(webhook, { avatar: red });
    for (const body of [
      {},
      { name: null },
      { name: webhook.name, unknown: 1, token: 'x', id: '1', guild_id: '2' },
    ])
      expect(await update(webhook, body)).toMatchObject({
        webhook: { name: webhook.name, avatar: pictureHash(RED), token: webhook.token, id: webhook.id },
      });
  });

  it('posts under the new name and avatar from then on', async () => {
    const webhook = await newWebhook();
    await update(webhook, { name: 'New', avatar: red });
    const request = { ...credentialOf(webhook), body: bodyOf({ content: 'x' }) };
    await fixture.client.executeWebhook(request, anonymous);
    expect(lastPosted(fixture)).toMatchObject({ username: 'New', avatar: pictureHash(RED) });
  });

  it('causes a report to the guild, without an audit log entry', async () => {
    const webhook = await newWebhook();
    await update(webhook, { name: 'New' });
    const { id, guild_id, channel_id } = webhook;
    expect(laterChangesOf(webhook)).toEqual([
      {
        id: expect.any(String),
        revision: 2,
        webhook: { id, guild_id, channel_id, name: 'New', avatar: null },
        channel_id,
        entry: null,
      },
    ]);
  });

  it('causes no report without a change', async () => {
    const webhook = await newWebhook();
    for (const body of [{}, { name: ` ${webhook.name} ` }, { avatar: null }]) await update(webhook, body);
    expect(laterChangesOf(webhook)).toEqual([]);
  });
});

describe('a body', () => {
  it.each<[unknown]>([
    [{ channel_id: '62' }],
    [{ channel_id: null }],
    [{ channel_id: CHANNEL }],
    [{ channel_id: {}, name: '', avatar: 'x' }],
    [{ channel_id: 'x', name: 5 }],
  ])('that names a channel is FORBIDDEN, whatever other errors it has: %j', async (body) => {
    const webhook = await newWebhook();
    expect(await refusalOf(update(webhook, body))).toEqual(['FORBIDDEN']);
    expect(await read(webhook)).toMatchObject({ channel_id: webhook.channel_id, name: webhook.name });
  });

  it.each<[unknown, string[]]>([
    [{ name: '' }, ['name WEBHOOK_NAME_LENGTH_INVALID']],
    [{ name: ' \n ' }, ['name WEBHOOK_NAME_LENGTH_INVALID']],
    [{ name: '🚪'.repeat(81) }, ['name WEBHOOK_NAME_LENGTH_INVALID']],
    [{ avatar: '' }, ['avatar INVALID_FORMAT']],
    [{ avatar: 'no image' }, ['avatar INVALID_FORMAT']],
    [{ name: '', avatar: 'no image' }, ['name WEBHOOK_NAME_LENGTH_INVALID', 'avatar INVALID_FORMAT']],
  ])('with an invalid name or picture is BAD_REQUEST, with its path: %j', async (body, violations) => {
    const webhook = await newWebhook();
    expect(await refusalOf(update(webhook, body))).toEqual(['BAD_REQUEST', ...violations]);
    expect(await read(webhook)).toMatchObject({ name: webhook.name, avatar: null });
  });

  it.each<[unknown, string[]]>([
    [{ name: 5, avatar: [] }, ['name INVALID_FORMAT', 'avatar INVALID_FORMAT']],
    [{ name: 'a\u0000b' }, ['name INVALID_FORMAT']],
    [Buffer.from('[]'), ['body INVALID_FORMAT']],
    [Buffer.from('{"name": "x",}'), ['body INVALID_FORMAT']],
    [Buffer.from('null'), ['body INVALID_FORMAT']],
    [Buffer.from(''), ['body INVALID_FORMAT']],
    [Buffer.from([0x7b, 0xff, 0x7d]), ['body INVALID_FORMAT']],
  ])('with a wrong type is INVALID_FORM_BODY: %j', async (body, violations) => {
    expect(await refusalOf(update(await newWebhook(), body))).toEqual(['INVALID_FORM_BODY', ...violations]);
  });

  it('is JSON with any content type but multipart', async () => {
    const webhook = await newWebhook();
    for (const type of [null, '', 'application/json', 'text/plain; charset=utf-8'])
      expect((await update(webhook, { name: `n${type}` }, 0, type)).webhook?.name).toBe(`n${type}`);
    expect(await refusalOf(update(webhook, { name: 'x' }, 0, 'multipart/form-data; boundary=x'))).toEqual([
      'INVALID_FORM_BODY',
      'body INVALID_FORMAT',
    ]);
  });

  it('accepts a name of 80 code points', async () => {
    const name = '🚪'.repeat(80);
    expect((await update(await newWebhook(), { name: ` ${name} ` })).webhook?.name).toBe(name);
  });
});

it('a request with an invalid name drops its picture', async () => {
  const blue = onePixel('blue');
  const body = { name: '', avatar: blue.toString('base64') };
  expect(await reasonOf(update(await newWebhook(), body))).toBe('BAD_REQUEST');
  expect(fixture.media.published).not.toContain(pictureHash(blue));
  await expect.poll(() => [...fixture.media.uploads.values()]).not.toContain(pictureHash(blue));
});

describe('concurrent changes', () => {
  it('of the name by the token, and of channel and avatar by a manager, lose nothing', async () => {
    const webhook = await addWebhook(fixture, { channel_id: CHANNEL });
    const calls = Array.from({ length: 12 }, (_, n) => [
      update(webhook, { name: `name ${n}` }, n % 2),
      replicaOf(fixture, n + 1).updateWebhook(
        { webhook_id: webhook.id, channel_id: n % 2 === 0 ? '62' : CHANNEL, avatar: null },
        as(MANAGER),
      ),
    ]);
    calls.push([update(webhook, { avatar: red })]);
    expect((await outcomesOf(calls.flat())).refused).toEqual([]);
    const now = await read(webhook);

    const changes = laterChangesOf(webhook).sort((a, b) => a.revision - b.revision);
    expect(changes.map(({ revision }) => revision)).toEqual(changes.map((_, n) => n + 2));
    const { user: _, token: __, ...made } = webhook;
    let state: object = made;
    for (const { webhook: after, channel_id, entry } of changes) {
      expect(state).toMatchObject({ channel_id });
      expect(state).not.toEqual(after);
      // A move keeps the name, and a new name keeps the channel.
      if (entry === null) expect(after?.channel_id).toBe(channel_id);
      else expect(state).toMatchObject({ name: after?.name });
      if (after !== null) state = after;
    }
    expect(now).toMatchObject(state);
  });

  it('after a deletion are NOT_FOUND and not reported', async () => {
    const webhook = await newWebhook();
    const calls = await Promise.allSettled([
      ...Array.from({ length: 16 }, (_, n) => update(webhook, { name: `name ${n}` }, n % 2)),
      fixture.client.deleteTokenWebhook(credentialOf(webhook), anonymous),
      ...Array.from({ length: 16 }, (_, n) => update(webhook, { name: `late ${n}` }, n % 2)),
    ]);
    const failed = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.reason] : []));
    expect(failed.filter((reason) => reason !== 'NOT_FOUND')).toEqual([]);
    expect(await reasonOf(read(webhook))).toBe('NOT_FOUND');
    const changes = laterChangesOf(webhook);
    expect(changes).toHaveLength(calls.length - failed.length);
    expect(new Set(changes.map(({ revision }) => revision)).size).toBe(changes.length);
  });
});
