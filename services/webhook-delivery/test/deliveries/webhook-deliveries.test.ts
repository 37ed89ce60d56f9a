import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { WebhookDelivery as Entry, Refusal, Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { trimPosted } from '../../src/store/deliveries.ts';
import { push, repository, sender } from '../codehost/codehost-fixtures.ts';
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
import { execute, newChannel, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
beforeAll(async () => {
  fixture = await startWebhookDelivery('webhook_deliveries', { replicas: 2 });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
});

async function list(of: Webhook, page: { outcome?: string; before?: string; limit?: number } = {}) {
  const request = { webhook_id: of.id, ...page };
  return (await replicaOf(fixture, 1).listWebhookDeliveries(request, as(MANAGER))).deliveries;
}

const send = (body: unknown) =>
  fixture.client.executeWebhook({ ...credentialOf(webhook), wait: 'true', body: bodyOf(body) }, anonymous);
const refuse = (...refusals: Omit<Refusal, 'dialect'>[]) =>
  fixture.client.recordRefusals(
    { refusals: refusals.map((one) => ({ ...one, dialect: 'webhook' })) },
    anonymous,
  );

describe('the deliveries of a webhook', () => {
  test('have the message of each that posted one, within a second', async () => {
    const { message } = await send({ content: 'x' });
    await execute(fixture, 'chatcompat', { ...credentialOf(webhook), body: bodyOf({ text: 'x' }) });
    const body = bodyOf({ ...push, repository, sender });
    await execute(fixture, 'codehost', { ...credentialOf(webhook), body, event: 'push' });
    await execute(fixture, 'statuspage', { ...credentialOf(webhook), body: bodyOf({ component: {} }) });
    await expect.poll(() => list(webhook)).toHaveLength(4);
    const found = await list(webhook);
    expect(found.map(({ dialect, status }) => [dialect, status])).toEqual([
      ['statuspage', 204],
      ['codehost', 204],
      ['chatcompat', 200],
      ['webhook', 200],
    ]);
    expect(found[1]).toMatchObject({ event: 'push', outcome: 'posted', origin: 'sender', count: 1 });
    const { channel_id } = webhook;
    expect(found[3]).toMatchObject({ message_id: message?.id, channel_id, can_be_sent_again: false });
    expect(found[3]?.reason ?? null).toBe(null);
  });

  test('have the reason and the status of each that posted nothing', async () => {
    await reasonOf(send({ content: 'x'.repeat(4001) }));
    await execute(fixture, 'statuspage', { ...credentialOf(webhook), body: bodyOf({}) });
    expect(await list(webhook)).toMatchObject([
      { outcome: 'nothing', reason: 'section_missing', status: 204 },
      { outcome: 'refused', reason: 'over_limits', status: 400 },
    ]);
  });

  test('are filtered by outcome, and read in pages', async () => {
    for (let round = 0; round < 5; round++) await reasonOf(send({ content: '' }));
    await send({ content: 'x' });
    await expect.poll(() => list(webhook, { outcome: 'posted' })).toHaveLength(1);
    const seen: Entry[] = [];
    for (let page = await list(webhook, { outcome: 'refused', limit: 2 }); page.length > 0; ) {
      seen.push(...page);
      page = await list(webhook, { outcome: 'refused', limit: 2, before: seen.at(-1)?.id ?? '' });
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
    const ids = seen.map(({ id }) => BigInt(id));
    expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? 1 : -1)));
  });

  test('are for managers of its channel, and of valid pages', async () => {
    const read = (page: object, account = MANAGER) =>
      refusalOf(fixture.client.listWebhookDeliveries({ webhook_id: webhook.id, ...page }, as(account)));
    expect(await read({}, '42')).toEqual(['FORBIDDEN']);
    expect(await read({ webhook_id: '9' })).toEqual(['NOT_FOUND']);
    expect(await read({ outcome: 'lost' })).toEqual(['INVALID_FORM_BODY', 'outcome INVALID_FORMAT']);
    for (const limit of [0, 101])
      expect(await read({ limit })).toEqual(['INVALID_FORM_BODY', 'limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
    fixture.closed.add(webhook.channel_id);
    expect(await read({})).toEqual(['FORBIDDEN']);
  });

  test('are the newest 500 that posted a message', async () => {
    await fixture.sql.query(
      `INSERT INTO deliveries (id, webhook_id, dialect, outcome, reason, message_id, status)
       SELECT n, $1, 'webhook', 'posted', '', 1, 204 FROM generate_series(1, 700) AS n`,
      [webhook.id],
    );
    await fixture.sql.query(
      `INSERT INTO deliveries (id, webhook_id, dialect, outcome, reason, status)
       VALUES (701, $1, 'webhook', 'refused', 'empty', 400)`,
      [webhook.id],
    );
    const kept = async () => {
      const { rows } = await fixture.sql.query(
        'SELECT log, count(*)::integer AS count FROM deliveries WHERE webhook_id = $1 GROUP BY log ORDER BY log',
        [webhook.id],
      );
      return rows;
    };
    await trimPosted(fixture.sql, [webhook.id]);
    expect(await kept()).toEqual([
      { log: 'posted', count: 500 },
      { log: 'unposted', count: 1 },
    ]);
  });
});

describe('executions that were turned away', () => {
  test('share an entry for each reason, whichever edge reports them', async () => {
    const reported = Array.from({ length: 20 }, (_, n) =>
      replicaOf(fixture, n).recordRefusals(
        {
          refusals: ['rate_limited', 'wrong_token', 'rate_limited'].map((reason) => ({
            webhook_id: webhook.id,
            dialect: 'codehost',
            reason,
            count: 2,
          })),
        },
        anonymous,
      ),
    );
    await Promise.all(reported);
    const found = await list(webhook);
    expect(found.map(({ reason, status, count }) => [reason, status, count]).toSorted()).toEqual([
      ['rate_limited', 429, 80],
      ['wrong_token', 401, 40],
    ]);
  });

  test('are stored for webhooks that exist, and for known reasons', async () => {
    await refuse(
      { webhook_id: '9', reason: 'rate_limited', count: 1 },
      { webhook_id: webhook.id, reason: 'of a later version', count: 1 },
      { webhook_id: webhook.id, reason: 'too_large', count: 0 },
    );
    expect(await list(webhook)).toEqual([]);
    const { rows } = await fixture.sql.query('SELECT FROM deliveries WHERE webhook_id = 9');
    expect(rows).toEqual([]);
    const bad = fixture.client.recordRefusals(
      { refusals: [{ webhook_id: 'x', dialect: 'webhook', reason: 'too_large', count: 1 }] },
      anonymous,
    );
    expect(await reasonOf(bad)).toBe('INVALID_FORM_BODY');
  });

  test('do not displace what the owner must find: they have a bound of their own', async () => {
    await reasonOf(send({ content: '' }));
    await fixture.sql.query(
      `INSERT INTO deliveries (id, webhook_id, dialect, outcome, reason, status, period)
       SELECT n, $1, 'webhook', 'refused', 'wrong_token', 401, now() - n * interval '1 second'
         FROM generate_series(1001, 1300) AS n`,
      [webhook.id],
    );
    await refuse({ webhook_id: webhook.id, reason: 'too_large', count: 1 });
    const { rows } = await fixture.sql.query<{ log: string; count: number }>(
      'SELECT log, count(*)::integer AS count FROM deliveries WHERE webhook_id = $1 GROUP BY log ORDER BY log',
      [webhook.id],
    );
    expect(rows[0]?.log).toBe('turned_away');
    expect(rows[0]?.count).toBeLessThanOrEqual(101);
    expect(rows[1]).toEqual({ log: 'unposted', count: 1 });
  });
});
