import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { WebhookDelivery as Entry, Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { push, repository, sender } from '../codehost/codehost-fixtures.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  GUILD,
  lastPosted,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { execute, newChannel, postedBy, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
beforeAll(async () => {
  fixture = await startWebhookDelivery('kept_payloads', { replicas: 2 });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
  await keep(true);
});

const keep = (keep_payloads: boolean, account = MANAGER) =>
  fixture.client.updateWebhookSettings({ guild_id: GUILD, keep_payloads }, as(account));
const list = async (): Promise<readonly Entry[]> =>
  (await fixture.client.listWebhookDeliveries({ webhook_id: webhook.id, limit: 100 }, as(MANAGER)))
    .deliveries;
const retry = (delivery_id: string, of = webhook) =>
  fixture.client.retryDelivery({ webhook_id: of.id, delivery_id }, as(MANAGER));
const kept = async () => {
  const { rows } = await fixture.sql.query('SELECT * FROM delivery_payloads WHERE webhook_id = $1', [
    webhook.id,
  ]);
  return rows as readonly { readonly body: Buffer }[];
};
const event = bodyOf({ ...push, repository, sender });
const sendEvent = (delivery = '', body: Buffer = event) =>
  execute(fixture, 'codehost', { ...credentialOf(webhook), body, event: 'push', delivery });

/** The first delivery, once its payload is kept. */
async function firstKept(): Promise<string> {
  await expect.poll(async () => (await list())[0]?.can_be_sent_again).toBe(true);
  return (await list())[0]?.id ?? '';
}

describe('a delivery that is sent again', () => {
  test('is rendered anew and posted, although its identifier was claimed, and refers to the original', async () => {
    await sendEvent('one');
    const id = await firstKept();
    expect(await postedBy(fixture, () => sendEvent('one'))).toBe(0);
    const posted = await postedBy(fixture, async () => {
      const { delivery } = await retry(id);
      expect(delivery).toMatchObject({ dialect: 'codehost', event: 'push', outcome: 'posted', retry_of: id });
      expect(delivery).toMatchObject({ origin: 'retry', status: 200, can_be_sent_again: false });
    });
    expect(posted).toBe(1);
    expect(lastPosted(fixture).embeds[0]?.title).toContain('new commit');
  });

  test('twice at once is two messages', async () => {
    await sendEvent();
    const id = await firstKept();
    expect(await postedBy(fixture, () => Promise.all([retry(id), retry(id)]))).toBe(2);
  });

  test('posts nothing for the same reason, until that is gone', async () => {
    fixture.refused.add(webhook.id);
    await sendEvent();
    const id = await firstKept();
    const again = (await retry(id)).delivery;
    expect(again).toMatchObject({ outcome: 'refused', reason: 'refused_by_chat' });
    fixture.refused.delete(webhook.id);
    expect((await retry(id)).delivery).toMatchObject({ outcome: 'posted' });
  });

  test('needs a kept payload of this webhook, and its manager', async () => {
    await sendEvent();
    const id = await firstKept();
    const other = await addWebhook(fixture, { channel_id: newChannel(fixture) });
    expect(await reasonOf(retry(id, other))).toBe('BAD_REQUEST');
    expect(await reasonOf(retry('1'))).toBe('BAD_REQUEST');
    expect(await refusalOf(retry('x'))).toEqual([
      'INVALID_FORM_BODY',
      'delivery_id INVALID_SNOWFLAKE_FORMAT',
    ]);
    const call = fixture.client.retryDelivery({ webhook_id: webhook.id, delivery_id: id }, as('42'));
    expect(await reasonOf(call)).toBe('FORBIDDEN');
  });
});

describe('a payload is kept', () => {
  test('only if its guild wants it, byte for byte, and without the token', async () => {
    await sendEvent();
    await firstKept();
    expect((await kept()).map(({ body }) => body.toString())).toEqual([event.toString()]);
    await sendEvent('', bodyOf({ ...push, repository, sender, url: webhook.token }));
    await sendEvent('', bodyOf({ ...push, repository, sender, more: 'x'.repeat(64 * 1024) }));
    await expect.poll(async () => (await list()).length).toBe(3);
    expect(await kept()).toHaveLength(1);
  });

  test('for at most 100 deliveries, with 200 of them at once on two replicas', async () => {
    const calls = Array.from({ length: 200 }, (_, n) => {
      const body = n % 2 === 0 ? bodyOf({ content: 'x' }) : bodyOf({ content: '' });
      return reasonOf(
        replicaOf(fixture, n >> 1).executeWebhook({ ...credentialOf(webhook), body }, anonymous),
      );
    });
    await Promise.allSettled(calls);
    await expect.poll(async () => (await kept()).length).toBe(100);
  });

  test('until it is switched off: nothing of what is under way is kept afterwards', async () => {
    let sending = true;
    const senders = Array.from({ length: 8 }, async (_, n) => {
      const client = replicaOf(fixture, n);
      while (sending)
        await client.executeWebhook({ ...credentialOf(webhook), body: bodyOf({ content: 'x' }) }, anonymous);
    });
    await expect.poll(async () => (await kept()).length).toBeGreaterThan(0);
    await keep(false);
    expect(await kept()).toEqual([]);
    sending = false;
    await Promise.all(senders);
    const before = (await list()).length;
    await execute(fixture, 'webhook', { ...credentialOf(webhook), body: bodyOf({ content: '' }) });
    await expect.poll(async () => (await list()).length).toBeGreaterThanOrEqual(Math.min(100, before));
    expect(await kept()).toEqual([]);
  });

  test('until it is switched off, however much is kept, by two managers at once', async () => {
    const webhooks = [webhook];
    for (let count = 0; count < 12; count++)
      webhooks.push(await addWebhook(fixture, { channel_id: newChannel(fixture) }));
    await fixture.sql.query(
      `INSERT INTO delivery_payloads (webhook_id, posted, slot, delivery_id, guild_id, body)
       SELECT webhook_id, posted, slot, row_number() OVER (), $2, 'x'
         FROM unnest($1::bigint[]) AS webhook_id, unnest(ARRAY[true, false]) AS posted, generate_series(0, 49) AS slot`,
      [webhooks.map(({ id }) => id), GUILD],
    );
    await Promise.all([keep(false), keep(false)]);
    const left = await fixture.sql.query('SELECT FROM delivery_payloads WHERE guild_id = $1', [GUILD]);
    expect(left.rowCount).toBe(0);
  });

  test('and what a switch-off could not delete stays unusable after it is switched on again', async () => {
    await sendEvent();
    const id = await firstKept();
    await fixture.sql.query('DELETE FROM payload_keepers WHERE guild_id = $1', [GUILD]);
    expect((await list())[0]?.can_be_sent_again).toBe(false);
    await keep(true);
    expect(await kept()).toHaveLength(1);
    expect((await list())[0]?.can_be_sent_again).toBe(false);
    expect(await reasonOf(retry(id))).toBe('BAD_REQUEST');
  });

  test('until its webhook or its channel is deleted', async () => {
    await sendEvent();
    await firstKept();
    await fixture.client.endChannels({ channel_ids: [webhook.channel_id] }, anonymous);
    expect(await kept()).toEqual([]);
  });
});

test('the setting is read by managers of webhooks, and changed by those with MANAGE_GUILD', async () => {
  const read = (account: string, guild_id = GUILD) =>
    fixture.client.getWebhookSettings({ guild_id }, as(account));
  await keep(false);
  expect((await read(MANAGER)).settings).toEqual({ keep_payloads: false });
  expect((await keep(true)).settings).toEqual({ keep_payloads: true });
  expect((await fixture.client.updateWebhookSettings({ guild_id: GUILD }, as(MANAGER))).settings).toEqual({
    keep_payloads: true,
  });
  expect(await reasonOf(read('42'))).toBe('FORBIDDEN');
  expect(await reasonOf(read(MANAGER, '9'))).toBe('NOT_FOUND');
  fixture.managers.add('43');
  fixture.webhook_managers.add('43');
  expect((await read('43')).settings).toEqual({ keep_payloads: true });
  expect(await reasonOf(keep(false, '43'))).toBe('FORBIDDEN');
});
