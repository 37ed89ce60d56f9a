import { reasonOf } from '@gatehouse/dev-env/faults';
import { freePort } from '@gatehouse/dev-env/free-port';
import { createLogger } from '@gatehouse/kit/log';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addWebhook,
  anonymous,
  bodyOf,
  credentialOf,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { newChannel } from '../support.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
let metrics: string;
let logged: string[] = [];
beforeAll(async () => {
  metrics = `127.0.0.1:${await freePort()}`;
  const destination = { write: (line: string) => logged.push(line) };
  const log = createLogger({ name: 'test', level: 'warn', destination });
  fixture = await startWebhookDelivery('deliveries_operations', {
    metrics_listen: metrics,
    background_every_ms: 20,
    log,
  });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  logged = [];
  webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
});

const executeEmpty = () =>
  reasonOf(fixture.client.executeWebhook({ ...credentialOf(webhook), body: bodyOf({}) }, anonymous));
const list = () => fixture.client.listDeliveries({ webhook_id: webhook.id }, anonymous);

describe('deliveries are kept for a day', () => {
  const add = (age: string) =>
    fixture.sql.query(
      `WITH noted AS (
         INSERT INTO deliveries (webhook_id, at, dialect, outcome, reason)
         VALUES ($1, now() - $2::interval, 'webhook', 'refused', 'empty'))
       INSERT INTO delivery_counts VALUES ($1, date_trunc('hour', now() - $2::interval), 'webhook', 'refused', 'empty', 1)`,
      [webhook.id, age],
    );
  const rows = async () => {
    const { rows: counts } = await fixture.sql.query<{ table: string; count: number }>(
      `SELECT (SELECT count(*) FROM deliveries WHERE webhook_id = $1)::integer AS deliveries,
              (SELECT count(*) FROM delivery_counts WHERE webhook_id = $1)::integer AS counts`,
      [webhook.id],
    );
    return counts[0];
  };

  test('older ones are deleted in the background', async () => {
    await add('22 hours');
    await add('25 hours');
    await expect.poll(rows).toEqual({ deliveries: 1, counts: 1 });
    expect(await list()).toMatchObject({ deliveries: [{ reason: 'empty' }], counts: [{ count: 1 }] });
  });
});

describe('an execution gets its normal answer', () => {
  test('after a timeout of its delivery, which is stored later', async () => {
    const holder = await fixture.sql.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE');
      expect(await executeEmpty()).toBe('CANNOT_SEND_EMPTY_MESSAGE');
      await holder.query('COMMIT');
      await expect.poll(async () => (await list()).deliveries.length).toBe(1);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });

  test('if its delivery cannot be stored: all are counted, and many share a log line', async () => {
    const lost = () => metricOf('webhook_deliveries_lost_total{what="delivery"}');
    const before = await lost();
    await fixture.sql.query('ALTER TABLE deliveries RENAME TO elsewhere');
    try {
      const reasons = await Promise.all(Array.from({ length: 32 }, executeEmpty));
      expect(new Set(reasons)).toEqual(new Set(['CANNOT_SEND_EMPTY_MESSAGE']));
    } finally {
      await fixture.sql.query('ALTER TABLE elsewhere RENAME TO deliveries');
    }
    expect(await lost()).toBe(before + 32);
    const lines = logged.filter((line) => line.includes('not stored'));
    expect(lines.length).toBeGreaterThanOrEqual(1);
    expect(lines.length).toBeLessThan(5);
    expect(logged.join()).not.toContain(webhook.token);
    await executeEmpty();
    expect((await list()).deliveries).toHaveLength(1);
  });

  test('while chat is unavailable, and the delivery is stored', async () => {
    await fixture.stopChat();
    const request = { ...credentialOf(webhook), body: bodyOf({ content: 'x', text: 'x' }) };
    expect(await reasonOf(fixture.client.executeWebhook(request, anonymous))).toBe('SERVICE_UNAVAILABLE');
    await fixture.startChat();
    await expect.poll(list).toMatchObject({ deliveries: [{ outcome: 'refused', reason: 'unavailable' }] });
    await expect
      .poll(() => fixture.client.executeWebhook(request, anonymous).then(() => 'posted', String))
      .toBe('posted');
  });
});

async function metricOf(name: string): Promise<number> {
  const text = await (await fetch(`http://${metrics}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}

test('metrics count executions by outcome, without values of requests', async () => {
  const scrape = async (label: string) => {
    const response = await fetch(`http://${metrics}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).not.toContain(webhook.id);
    const line = text.split('\n').find((one) => one.startsWith(`webhook_deliveries_total{${label}}`));
    return Number(line?.split(' ')[1] ?? 0);
  };
  const posted = 'dialect="webhook",outcome="posted",reason=""';
  const refused = 'dialect="webhook",outcome="refused",reason="empty"';
  const before = [await scrape(posted), await scrape(refused)];
  const request = { ...credentialOf(webhook), body: bodyOf({ content: 'x' }) };
  await Promise.all(Array.from({ length: 3 }, () => fixture.client.executeWebhook(request, anonymous)));
  await executeEmpty();
  await reasonOf(fixture.client.executeWebhook({ ...request, token: 'wrong' }, anonymous));
  expect([await scrape(posted), await scrape(refused)]).toEqual([(before[0] ?? 0) + 3, (before[1] ?? 0) + 1]);
  const zero = 'webhook_deliveries_total{dialect="statuspage",outcome="posted",reason=""} 0';
  expect(await (await fetch(`http://${metrics}/metrics`)).text()).toContain(zero);
});
