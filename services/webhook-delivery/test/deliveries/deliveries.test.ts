import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Delivery, ListDeliveriesResponse, Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { Dialect } from '../../src/store/delivery.ts';
import { check_suite, push, repository, sender } from '../codehost/codehost-fixtures.ts';
import { MULTIPART_TYPE } from '../execution/bodies.ts';
import {
  addWebhook,
  anonymous,
  bodyOf,
  CHANNEL,
  credentialOf,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { type ExecutionHeaders, execute, newChannel, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
beforeAll(async () => {
  fixture = await startWebhookDelivery('deliveries', { replicas: 2 });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  // A channel of its own, which can be deleted.
  webhook = await addWebhook(fixture, { channel_id: newChannel(fixture) });
});

const send = (dialect: Dialect, body: unknown, headers: ExecutionHeaders = {}) =>
  execute(fixture, dialect, { ...credentialOf(webhook), body: bodyOf(body), ...headers });

/** The deliveries, read at the other replica. */
function list(of: Webhook, limit?: number): Promise<ListDeliveriesResponse> {
  const client = replicaOf(fixture, 1);
  return client.listDeliveries({ webhook_id: of.id, ...(limit !== undefined && { limit }) }, anonymous);
}

const words = ({ dialect, event, outcome, reason }: Delivery) =>
  [dialect, ...(event == null ? [] : [event]), outcome, reason].join(' ');

/** A payload that each route posts. */
const shown = { content: 'x', text: 'x', ...push, repository, sender, component: {} };
const skipped = {
  repository,
  action: 'completed',
  check_suite: { ...check_suite, conclusion: 'skipped' },
};

describe('an execution that posts nothing is stored once, before its answer, as', () => {
  it.each<[expected: string, body: unknown, sent?: ExecutionHeaders]>([
    ['webhook refused multipart', {}, { content_type: MULTIPART_TYPE }],
    ['webhook refused broken_body', Buffer.from('{')],
    ['webhook refused empty', { embeds: [] }],
    ['webhook refused over_limits', { content: 'x'.repeat(4001) }],
    ['webhook refused over_limits', { embeds: Array(11).fill({ title: 'x' }) }],
    ['webhook refused invalid', { content: 7 }],
    ['chatcompat refused multipart', {}, { content_type: MULTIPART_TYPE }],
    ['chatcompat refused broken_body', Buffer.from('text=x')],
    ['chatcompat refused empty', { attachments: [{ color: '#123456' }] }],
    ['chatcompat refused over_limits', { text: 'x'.repeat(4001) }],
    ['chatcompat refused invalid', { text: 'a\u0000' }],
    ['codehost refused multipart', {}, { content_type: MULTIPART_TYPE }],
    ['codehost push refused multipart', {}, { content_type: MULTIPART_TYPE, event: 'push' }],
    ['codehost push nothing broken_body', Buffer.from('{'), { event: 'push' }],
    ['codehost nothing event_missing', { repository }],
    ['codehost nothing event_missing', { repository }, { event: ' ' }],
    ['codehost ping nothing event_unknown', { repository }, { event: 'ping' }],
    ['codehost nothing event_unknown', { repository }, { event: 'pu\u0000sh' }],
    ['codehost push nothing repository_missing', push, { event: ' push' }],
    ['codehost issues nothing action_not_shown', { repository, action: 'labeled' }, { event: 'issues' }],
    ['codehost issues nothing incomplete', { repository, action: 'opened' }, { event: 'issues' }],
    ['codehost create nothing ref_not_shown', { repository, ref_type: 'repository' }, { event: 'create' }],
    ['codehost push nothing no_commits', { ...push, repository, commits: [] }, { event: 'push' }],
    ['codehost check_suite nothing check_skipped', skipped, { event: 'check_suite' }],
    ['statuspage refused multipart', {}, { content_type: MULTIPART_TYPE }],
    ['statuspage nothing broken_body', Buffer.from('[]')],
    ['statuspage nothing section_missing', { incident: null }],
    ['statuspage nothing name_missing', { incident: { name: ' ' }, component: {} }],
  ])('%s', async (expected, body, sent) => {
    const [dialect] = expected.split(' ') as [Dialect];
    await send(dialect, body, sent);
    const { deliveries, counts } = await list(webhook);
    expect(deliveries.map(words)).toEqual([expected]);
    const [outcome, reason] = expected.split(' ').slice(-2);
    expect(counts).toEqual([{ dialect, outcome, reason, count: 1 }]);
  });

  it.each(['webhook', 'chatcompat', 'codehost', 'statuspage'] as const)(
    '%s refused channel_gone',
    async (dialect) => {
      fixture.channels.delete(webhook.channel_id);
      await send(dialect, shown, { event: 'push' });
      const { deliveries } = await list(webhook);
      expect(deliveries).toMatchObject([{ dialect, outcome: 'refused', reason: 'channel_gone' }]);
    },
  );

  test('codehost push duplicate delivery_seen, for all concurrent repetitions', async () => {
    const request = { ...credentialOf(webhook), body: bodyOf(shown), event: 'push', delivery: 'one' };
    const clients = Array.from({ length: 16 }, (_, index) => replicaOf(fixture, index));
    await Promise.all(clients.map((client) => client.executeCodehost(request, anonymous)));
    expect(fixture.posted.filter(({ webhook_id }) => webhook_id === webhook.id)).toHaveLength(1);
    const { deliveries, counts } = await list(webhook);
    expect(deliveries.map(words)).toEqual(Array(15).fill('codehost push duplicate delivery_seen'));
    expect(counts).toEqual([
      { dialect: 'codehost', outcome: 'duplicate', reason: 'delivery_seen', count: 15 },
    ]);
  });

  it.each(['codehost', 'statuspage'] as const)(
    '%s refused refused_by_chat, although the sender gets no error',
    async (dialect) => {
      fixture.refused.add(webhook.id);
      const request = { ...credentialOf(webhook), body: bodyOf(shown) };
      if (dialect === 'statuspage') await fixture.client.executeStatuspage(request, anonymous);
      else await fixture.client.executeCodehost({ ...request, event: 'push' }, anonymous);
      const { deliveries } = await list(webhook);
      expect(deliveries).toMatchObject([{ dialect, outcome: 'refused', reason: 'refused_by_chat' }]);
    },
  );
});

it('posted messages, and executions with a wrong token, are not in the list of operators', async () => {
  await send('webhook', shown);
  await send('chatcompat', shown);
  await send('codehost', shown, { event: 'push' });
  await send('statuspage', shown);
  expect(fixture.posted.filter(({ webhook_id }) => webhook_id === webhook.id)).toHaveLength(4);
  const request = { webhook_id: webhook.id, body: bodyOf({ content: '' }) };
  expect(await reasonOf(fixture.client.executeWebhook({ ...request, token: 'wrong' }, anonymous))).toBe(
    'UNAUTHORIZED',
  );
  const unknown = { ...request, webhook_id: '9', token: webhook.token };
  expect(await reasonOf(fixture.client.executeWebhook(unknown, anonymous))).toBe('NOT_FOUND');
  expect(await list(webhook)).toEqual({ deliveries: [], counts: [], webhook_exists: true });
  const nothing = { deliveries: [], counts: [], webhook_exists: false };
  expect(await fixture.client.listDeliveries({ webhook_id: '9' }, anonymous)).toEqual(nothing);
});

describe('the list', () => {
  test('starts with the newest, and has the requested length', async () => {
    await send('webhook', { content: '' });
    await send('chatcompat', {});
    const before = Date.now();
    const [first] = (await list(webhook, 1)).deliveries;
    expect(first).toMatchObject({ dialect: 'chatcompat', event: null });
    expect(Math.abs(before - (first?.at_ms ?? 0))).toBeLessThan(60_000);
    expect((await list(webhook)).deliveries.map(({ dialect }) => dialect)).toEqual(['chatcompat', 'webhook']);
  });

  test('has no delivery older than a day', async () => {
    await fixture.sql.query(
      `INSERT INTO deliveries (webhook_id, at, dialect, outcome, reason)
       VALUES ($1, now() - interval '25 hours', 'webhook', 'refused', 'empty')`,
      [webhook.id],
    );
    await fixture.sql.query(
      `INSERT INTO delivery_counts VALUES ($1, now() - interval '25 hours', 'webhook', 'refused', 'empty', 1)`,
      [webhook.id],
    );
    expect(await list(webhook)).toMatchObject({ deliveries: [], counts: [] });
  });

  test('outlives its webhook', async () => {
    await send('webhook', { content: '' });
    await fixture.client.endChannels({ channel_ids: [webhook.channel_id] }, anonymous);
    expect(await list(webhook)).toMatchObject({ deliveries: [{ reason: 'empty' }], webhook_exists: false });
  });

  test('requires an ID and a limit of 1 to 500', async () => {
    const asked = (webhook_id: string, limit?: number) =>
      refusalOf(
        fixture.client.listDeliveries({ webhook_id, ...(limit !== undefined && { limit }) }, anonymous),
      );
    expect(await asked('x')).toEqual(['INVALID_FORM_BODY', 'webhook_id INVALID_SNOWFLAKE_FORMAT']);
    for (const limit of [0, -1, 501])
      expect(await asked(webhook.id, limit)).toEqual(['INVALID_FORM_BODY', 'limit INVALID_FORMAT']);
    expect(await list(webhook, 500)).toMatchObject({ deliveries: [] });
  });
});

test('a flood through two replicas keeps the newest 500 of each webhook, and counts all', async () => {
  const few = await Promise.all(
    Array.from({ length: 12 }, () => addWebhook(fixture, { channel_id: CHANNEL })),
  );
  // Batches of both replicas have rows of the same webhooks, in all orders.
  const rounds = Array.from({ length: 100 }, (_, round) => [
    ...few.slice(round % few.length),
    ...few.slice(0, round % few.length),
    ...Array<Webhook>(12).fill(webhook),
  ]);
  const waiting = rounds.flat();
  await Promise.all(
    Array.from({ length: 32 }, async (_, worker) => {
      const client = replicaOf(fixture, worker);
      for (let to = waiting.pop(); to !== undefined; to = waiting.pop())
        await client
          .executeWebhook({ ...credentialOf(to), body: bodyOf({}) }, anonymous)
          .catch(() => undefined);
    }),
  );
  await send('chatcompat', {});
  const { deliveries, counts } = await list(webhook, 500);
  expect(deliveries).toHaveLength(500);
  expect(await keptOf(webhook)).toBe(500);
  expect(deliveries.slice(0, 2).map(words)).toEqual(['chatcompat refused empty', 'webhook refused empty']);
  const refused = { outcome: 'refused', reason: 'empty' };
  expect(counts).toEqual([
    { dialect: 'webhook', ...refused, count: 1200 },
    { dialect: 'chatcompat', ...refused, count: 1 },
  ]);
  for (const one of few) {
    expect(await keptOf(one)).toBe(100);
    expect((await list(one)).counts).toEqual([{ dialect: 'webhook', ...refused, count: 100 }]);
  }
});

async function keptOf({ id }: Webhook): Promise<number> {
  const { rows } = await fixture.sql.query('SELECT FROM deliveries WHERE webhook_id = $1', [id]);
  return rows.length;
}

test('nothing of a body and no token is stored, for any request', async () => {
  const secret = 'a-planted-secret';
  const hostile = {
    [secret]: secret,
    content: [secret],
    text: `${secret}\u0000`,
    username: secret.repeat(9),
    embeds: [{ title: [secret], [secret]: 1 }],
    action: secret,
    ref_type: secret,
    repository: { ...repository, full_name: secret },
    incident: { status: secret },
  };
  for (const dialect of ['webhook', 'chatcompat', 'codehost', 'statuspage'] as const) {
    await send(dialect, hostile, { event: 'issues', delivery: secret });
    await send(dialect, Buffer.from(`{"${secret}`), { event: 'issues', delivery: secret });
    await send(dialect, hostile, { content_type: `multipart/${secret}`, event: 'issues' });
  }
  const { rows: deliveries } = await fixture.sql.query('SELECT * FROM deliveries WHERE webhook_id = $1', [
    webhook.id,
  ]);
  const { rows: counts } = await fixture.sql.query('SELECT * FROM delivery_counts WHERE webhook_id = $1', [
    webhook.id,
  ]);
  expect(deliveries).toHaveLength(12);
  const kept = JSON.stringify([deliveries, counts]);
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain(webhook.token);
});
