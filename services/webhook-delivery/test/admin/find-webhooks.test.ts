import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  bodyOf,
  credentialOf,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('find_webhooks');
});
beforeEach(async () => {
  await fixture.sql.query('TRUNCATE webhooks, deliveries, delivery_counts CASCADE');
});
afterAll(() => fixture.close());

/** Inserts a webhook with these IDs. */
async function insert(
  id: number,
  guild: number,
  channel: number,
  creator: number,
  name = 'x',
): Promise<void> {
  await fixture.sql.query(
    `INSERT INTO webhooks (id, guild_id, channel_id, creator_id, name, token) VALUES ($1, $2, $3, $4, $5, 'x')`,
    [id, guild, channel, creator, name],
  );
}

async function found(query: string, page: { before?: string; limit?: number } = {}): Promise<string[]> {
  const { webhooks } = await fixture.admin.findWebhooks({ query, creator_ids: [], ...page }, anonymous);
  return webhooks.map(({ id }) => id);
}

describe('FindWebhooks', () => {
  it('finds a webhook by its ID, its guild, its channel and its creator', async () => {
    await insert(101, 1, 11, 21);
    await insert(102, 2, 12, 22);
    for (const query of ['101', '1', '11', '21', ' 101 ']) expect(await found(query)).toEqual(['101']);
    expect(await found('999')).toEqual([]);
  });

  it('finds webhooks by the start of their name, whatever its case', async () => {
    await insert(101, 1, 11, 21, 'Ticker 1');
    await insert(102, 1, 11, 21, 'ticker 2');
    await insert(103, 1, 11, 21, 'A ticker');
    await insert(104, 1, 11, 21, '101 dogs');
    expect(await found('ticker')).toEqual(['102', '101']);
    expect(await found('TICKER', { limit: 1 })).toEqual(['102']);
    expect(await found('TICKER', { before: '102' })).toEqual(['101']);
    expect(await found('ticker 1')).toEqual(['101']);
    expect(await found('101')).toEqual(['104', '101']);
    for (const query of ['ick', 'ticker_', 'ticker%']) expect(await found(query)).toEqual([]);
  });

  it('reads the names along an index', async () => {
    await fixture.sql.query(
      `INSERT INTO webhooks (id, guild_id, channel_id, creator_id, name, token)
       SELECT n, n, n, n, 'webhook ' || n, 'x' FROM generate_series(1, 20000) AS n`,
    );
    await fixture.sql.query('ANALYZE webhooks');
    const { rows } = await fixture.sql.query(
      `EXPLAIN SELECT id FROM webhooks WHERE lower(name) ~>=~ lower('w') AND lower(name) ~<~ (lower('w') || chr(1114111))
        ORDER BY lower(name) USING ~<~ LIMIT 100`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('webhooks_name_idx');
    expect(plan).not.toContain('Sort');
  });

  it('takes the first 10,000 names with a start, so that one letter costs no more', async () => {
    await fixture.sql.query(
      `INSERT INTO webhooks (id, guild_id, channel_id, creator_id, name, token)
       SELECT n, 1, 1, 1, 'Zoo ' || n, 'x' FROM generate_series(100001, 110001) AS n`,
    );
    expect(await found('z', { limit: 2 })).toEqual(['110000', '109999']);
    expect(await found('zoo 110001')).toEqual(['110001']);
  });

  it('finds the webhooks of several creators, page by page', async () => {
    await insert(101, 1, 11, 21);
    await insert(102, 1, 11, 22);
    await insert(103, 1, 11, 23);
    await insert(104, 1, 11, 21);
    const of = async (creator_ids: string[], page: { before?: string; limit?: number } = {}) =>
      (await fixture.admin.findWebhooks({ query: '', creator_ids, ...page }, anonymous)).webhooks.map(
        ({ id }) => id,
      );
    expect(await of(['21', '22', '21'])).toEqual(['104', '102', '101']);
    expect(await of(['21', '22'], { limit: 2 })).toEqual(['104', '102']);
    expect(await of(['21', '22'], { before: '102' })).toEqual(['101']);
    expect(await of(['99'])).toEqual([]);
    expect(await violationsOf(of(['x']))).toEqual(['creator_ids INVALID_SNOWFLAKE_FORMAT']);
    const many = Array.from({ length: 501 }, () => '1');
    expect(await violationsOf(of(many))).toEqual(['creator_ids ARRAY_LENGTH_INVALID']);
  });

  it('finds each once, newest first, if an ID has several meanings', async () => {
    await insert(101, 7, 11, 7);
    await insert(7, 1, 7, 21);
    await insert(102, 2, 7, 7);
    expect(await found('7')).toEqual(['102', '101', '7']);
  });

  it('finds all for an empty query, page by page', async () => {
    for (let id = 1; id <= 5; id++) await insert(id, 1, 1, 1);
    for (const query of ['', '1']) {
      expect(await found(query, { limit: 2 })).toEqual(['5', '4']);
      expect(await found(query, { limit: 2, before: '4' })).toEqual(['3', '2']);
      expect(await found(query, { before: '2' })).toEqual(['1']);
      expect(await found(query, { before: '1' })).toEqual([]);
    }
  });

  it.each(['%', "'", '_', '\\', "1' OR '1'='1", '01', '-1', '1e3', '9223372036854775808', '\0', '😀'])(
    'finds nothing for "%s"',
    async (query) => {
      await insert(1, 1, 1, 1);
      expect(await found(query)).toEqual([]);
    },
  );

  it('refuses a query over 320 characters, and an invalid page', async () => {
    expect(await violationsOf(found('1'.repeat(321)))).toEqual(['query STRING_LENGTH_INVALID']);
    expect(await violationsOf(found("'".repeat(10_240)))).toEqual(['query STRING_LENGTH_INVALID']);
    expect(await violationsOf(found('', { limit: 101, before: 'x' }))).toEqual([
      'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
      'before INVALID_SNOWFLAKE_FORMAT',
    ]);
    expect(await violationsOf(found('', { limit: 0 }))).toEqual(['limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
  });
});

describe('outcomes', () => {
  it('are counted whether or not something was posted, and whoever refused it', async () => {
    const quiet = await addWebhook(fixture);
    const noisy = await addWebhook(fixture);
    const { client, admin } = fixture;
    const send = (body: unknown, webhook = noisy) =>
      client.executeWebhook({ ...credentialOf(webhook), body: bodyOf(body) }, anonymous);
    for (let n = 0; n < 3; n++) await send({ content: 'x' });
    expect(await reasonOf(send({}))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    const event = { ...credentialOf(noisy), body: bodyOf({}), event: 'ping' };
    await client.executeCodehost(event, anonymous);
    const refusal = { webhook_id: noisy.id, dialect: 'webhook', reason: 'rate_limited', count: 40 };
    await client.recordRefusals({ refusals: [refusal] }, anonymous);
    await send({ content: 'x' }, quiet);

    const outcomes = { posted: 3, nothing: 1, refused: 41, duplicate: 0 };
    const get = ({ id }: { id: string }) => admin.getAdminWebhook({ webhook_id: id }, anonymous);
    await expect.poll(async () => (await get(quiet)).outcomes?.posted).toBe(1);
    await expect.poll(async () => (await get(noisy)).outcomes).toEqual(outcomes);

    const { webhooks } = await admin.listNoisyWebhooks({}, anonymous);
    expect(webhooks.map(({ webhook }) => webhook?.id)).toEqual([noisy.id, quiet.id]);
    expect(webhooks[0]?.outcomes).toEqual(outcomes);
    const now_ms = Date.now();
    for (const { last_posted_at_ms } of webhooks)
      expect(Math.abs((last_posted_at_ms ?? 0) - now_ms)).toBeLessThan(60_000);
    expect((await admin.listNoisyWebhooks({ limit: 1 }, anonymous)).webhooks).toEqual([webhooks[0]]);
    expect(await violationsOf(admin.listNoisyWebhooks({ limit: 101 }, anonymous))).toEqual([
      'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
    ]);

    const { counts } = await client.listDeliveries({ webhook_id: noisy.id }, anonymous);
    expect(counts.map(({ outcome }) => outcome).sort()).toEqual(['nothing', 'refused']);
  });

  it('are those of this hour and the one before it, of webhooks that exist', async () => {
    await insert(1, 1, 1, 1);
    const count = (webhook: number, hours: number, n: number) =>
      fixture.sql.query(
        `INSERT INTO delivery_counts (webhook_id, hour, dialect, outcome, reason, count)
         VALUES ($1, date_trunc('hour', now(), 'UTC') - $2 * interval '1 hour', 'webhook', 'posted', '', $3)`,
        [webhook, hours, n],
      );
    await count(1, 1, 5);
    await count(1, 2, 100);
    await count(2, 0, 100);
    const { webhooks } = await fixture.admin.listNoisyWebhooks({}, anonymous);
    expect(webhooks.map(({ webhook, outcomes }) => [webhook?.id, outcomes?.posted])).toEqual([['1', 5]]);
  });

  it('of a webhook that was never executed are zero', async () => {
    await insert(1, 1, 1, 1);
    const { outcomes } = await fixture.admin.getAdminWebhook({ webhook_id: '1' }, anonymous);
    expect(outcomes).toEqual({ posted: 0, nothing: 0, refused: 0, duplicate: 0 });
    expect(await reasonOf(fixture.admin.getAdminWebhook({ webhook_id: '2' }, anonymous))).toBe(
      'UNKNOWN_WEBHOOK',
    );
  });
});
