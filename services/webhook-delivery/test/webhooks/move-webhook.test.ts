import { refusalOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  lastPosted,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import {
  changed,
  changesOf,
  current,
  newChannel,
  onceBeforeAuthorization,
  outcomesOf,
  replicaOf,
} from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('move_webhook', { replicas: 2 });
});
afterAll(() => fixture.close());

let here: string;
let there: string;
let elsewhere: string;
beforeEach(() => {
  here = newChannel(fixture);
  there = newChannel(fixture);
  elsewhere = newChannel(fixture);
});

/** Adds a channel to chat and to the set. */
function newChannelIn(set: Set<string>): string {
  const channel = newChannel(fixture);
  set.add(channel);
  return channel;
}

function move(
  { id }: { id: string },
  channel_id: string,
  { name, account_id = MANAGER }: { name?: string; account_id?: string } = {},
) {
  return fixture.client.updateWebhook({ webhook_id: id, channel_id, name, avatar: null }, as(account_id));
}

describe('a move', () => {
  it('keeps the credential, which then posts in the new channel', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    const moved = { ...webhook, channel_id: there };
    expect(await move(webhook, there)).toEqual({ webhook: moved });
    expect(await current(fixture, webhook)).toEqual(moved);
    await fixture.client.executeWebhook(
      { ...credentialOf(webhook), body: bodyOf({ content: 'x' }) },
      anonymous,
    );
    expect(lastPosted(fixture).channel_id).toBe(there);
    const { webhooks } = await fixture.client.listChannelWebhooks({ channel_id: here }, as(MANAGER));
    expect(webhooks).toEqual([]);
  });

  it('is sent to chat with the previous channel and the new one', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here, name: 'old' });
    await move(webhook, there, { name: 'new' });
    expect(changesOf(fixture, webhook).at(-1)).toMatchObject({
      channel_id: here,
      webhook: { channel_id: there, name: 'new' },
      entry: {
        action_type: 51,
        changes: [changed('name', 'old', 'new'), changed('channel_id', here, there)],
      },
    });
  });

  it('to the current channel changes nothing, even if the channel is full', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    for (let n = 1; n < 15; n++) await addWebhook(fixture, { channel_id: here });
    expect(await move(webhook, here)).toEqual({ webhook });
    expect(changesOf(fixture, webhook)).toHaveLength(1);
    expect(await move(webhook, here, { name: 'new' })).toEqual({ webhook: { ...webhook, name: 'new' } });
  });
});

describe('is refused, and nothing changes,', () => {
  it.each([
    ['an unknown channel', () => '999999', ['NOT_FOUND']],
    ['a private channel', () => newChannel(fixture, null), ['BAD_REQUEST']],
    ['a channel of another guild', () => newChannel(fixture, '52'), ['BAD_REQUEST']],
    ['a category', () => newChannelIn(fixture.categories), ['BAD_REQUEST']],
    ['a channel without the rights', () => newChannelIn(fixture.closed), ['FORBIDDEN']],
  ])('to %s, before the form is checked', async (_what, destination, refusal) => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    expect(await refusalOf(move(webhook, destination(), { name: '' }))).toEqual(refusal);
    expect(await current(fixture, webhook)).toEqual(webhook);
    expect(changesOf(fixture, webhook)).toHaveLength(1);
  });

  it('without the permission in the current channel', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    fixture.closed.add(here);
    expect(await refusalOf(move(webhook, there))).toEqual(['FORBIDDEN']);
    fixture.closed.delete(here);
    expect(await current(fixture, webhook)).toEqual(webhook);
  });

  it('into a full channel, whatever else changes', async () => {
    for (let n = 0; n < 15; n++) await addWebhook(fixture, { channel_id: there });
    const webhook = await addWebhook(fixture, { channel_id: here });
    expect(await refusalOf(move(webhook, there, { name: '' }))).toEqual([
      'BAD_REQUEST',
      'name WEBHOOK_NAME_LENGTH_INVALID',
    ]);
    expect(await refusalOf(move(webhook, there, { name: 'new' }))).toEqual(['BAD_REQUEST']);
    expect(await current(fixture, webhook)).toEqual(webhook);
  });
});

describe('if the webhook moves during the checks of a change', () => {
  it('the permission is checked in its new channel, and the change starts from its new state', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here, name: 'old' });
    const authorized: string[] = [];
    onceBeforeAuthorization(fixture, async () => {
      await move(webhook, elsewhere, { name: 'meanwhile' });
      fixture.before.authorizeWebhooks = (channel_id) => authorized.push(channel_id);
    });
    const { webhook: answer } = await move(webhook, there);
    delete fixture.before.authorizeWebhooks;
    expect(answer).toEqual({ ...webhook, channel_id: there, name: 'meanwhile' });
    expect(authorized).toEqual([elsewhere]);
    expect(changesOf(fixture, webhook).map(({ channel_id }) => channel_id)).toEqual([here, here, elsewhere]);
  });

  it('a missing permission in the new channel is 403 without a change', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    onceBeforeAuthorization(fixture, async () => {
      await move(webhook, elsewhere);
      fixture.closed.add(elsewhere);
    });
    expect(await refusalOf(move(webhook, there, { name: 'new' }))).toEqual(['FORBIDDEN']);
    fixture.closed.delete(elsewhere);
    expect(await current(fixture, webhook)).toEqual({ ...webhook, channel_id: elsewhere });
  });

  it('to the requested channel, nothing is left to change', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    onceBeforeAuthorization(fixture, () => move(webhook, there));
    expect((await move(webhook, there)).webhook?.channel_id).toBe(there);
    expect(changesOf(fixture, webhook)).toHaveLength(2);
  });

  it('as often as the rate limit of updates allows, every move succeeds', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    const channels = [here, there, elsewhere];
    const calls = Array.from({ length: 20 }, (_, n) =>
      replicaOf(fixture, n).updateWebhook(
        { webhook_id: webhook.id, channel_id: channels[n % 3], avatar: null },
        as(MANAGER),
      ),
    );
    expect(await outcomesOf(calls)).toEqual({ done: 20, refused: [] });
  });

  it('again and again, the change fails with 503', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    let at = 0;
    fixture.before.authorizeWebhooks = () =>
      fixture.sql.query('UPDATE webhooks SET channel_id = $2 WHERE id = $1', [
        webhook.id,
        [there, here][at++ % 2],
      ]);
    const outcome = await refusalOf(move(webhook, elsewhere));
    delete fixture.before.authorizeWebhooks;
    expect(outcome).toEqual(['SERVICE_UNAVAILABLE']);
    expect(at).toBeGreaterThan(2);
    expect(at).toBeLessThan(50);
  });
});

describe('into a channel that is deleted during the checks', () => {
  const endWebhooksIn = (channel_id: string) =>
    fixture.client.endChannels({ channel_ids: [channel_id] }, anonymous);

  /** Deletes a channel after chat has authorized the call in progress. */
  function endsOnceAuthorized(channel_id: string): void {
    vi.spyOn(fixture.accounts, 'get').mockImplementationOnce(() => {
      fixture.channels.delete(channel_id);
      return undefined;
    });
  }

  it('a webhook that moves into it is deleted', async () => {
    const webhook = await addWebhook(fixture, { channel_id: here });
    endsOnceAuthorized(there);
    await move(webhook, there);
    expect(await refusalOf(current(fixture, webhook))).toEqual(['NOT_FOUND']);
    expect((await fixture.sql.query('SELECT FROM webhooks WHERE id = $1', [webhook.id])).rowCount).toBe(0);
  });

  it('a new webhook in it is deleted', async () => {
    endsOnceAuthorized(there);
    const webhook = await addWebhook(fixture, { channel_id: there });
    expect((await fixture.sql.query('SELECT FROM webhooks WHERE id = $1', [webhook.id])).rowCount).toBe(0);
  });

  it('a webhook that leaves it is in its new channel or deleted, but never in the old one', async () => {
    for (let round = 0; round < 16; round++) {
      const [from, to] = [newChannel(fixture), newChannel(fixture)];
      const webhook = await addWebhook(fixture, { channel_id: from });
      await Promise.allSettled([move(webhook, to), endWebhooksIn(from)]);
      const { rows } = await fixture.sql.query('SELECT channel_id FROM webhooks WHERE id = $1', [webhook.id]);
      expect([[], [{ channel_id: to }]]).toContainEqual(rows);
    }
  });
});
