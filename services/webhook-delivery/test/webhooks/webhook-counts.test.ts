import { refusalOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PER_CHANNEL, MAX_PER_GUILD } from '../../src/webhooks/webhook.ts';
import {
  anonymous,
  as,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { outcomesOf, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('webhook_counts', { replicas: 2 });
});
afterAll(() => fixture.close());

let ids = 1000;
/** A channel with this many webhooks. Returns their IDs. */
async function channelWith(count: number, guild: string): Promise<{ channel: string; webhooks: string[] }> {
  const channel = String(ids++);
  fixture.channels.set(channel, guild);
  const first = ids;
  ids += count;
  await fixture.sql.query(
    `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
     SELECT n, $1, $2, 'x', 'x', 1 FROM generate_series($3::bigint, $4) AS n`,
    [guild, channel, first, ids - 1],
  );
  return { channel, webhooks: Array.from({ length: count }, (_, n) => String(first + n)) };
}

const create = (channel_id: string, n: number) =>
  replicaOf(fixture, n).createWebhook({ channel_id, name: 'x' }, as(MANAGER));
const move = (webhook_id: string, channel_id: string, n: number) =>
  replicaOf(fixture, n).updateWebhook({ webhook_id, channel_id, avatar: null }, as(MANAGER));

async function countOf(column: 'channel_id' | 'guild_id', id: string): Promise<number> {
  const { rows } = await fixture.sql.query(
    `SELECT count(*)::integer AS n FROM webhooks WHERE ${column} = $1`,
    [id],
  );
  return rows[0].n;
}

describe('concurrently, at two replicas', () => {
  it('of 16 creations in a channel of 14 one succeeds', async () => {
    const { channel } = await channelWith(MAX_PER_CHANNEL - 1, '81');
    const calls = Array.from({ length: 16 }, (_, n) => create(channel, n));
    expect(await outcomesOf(calls)).toEqual({ done: 1, refused: ['BAD_REQUEST'] });
    expect(await countOf('channel_id', channel)).toBe(MAX_PER_CHANNEL);
  });

  it('of 16 moves into a channel of 14 one succeeds, and the others do not move', async () => {
    const { channel } = await channelWith(MAX_PER_CHANNEL - 1, '82');
    const from = [await channelWith(8, '82'), await channelWith(8, '82')];
    const calls = from.flatMap(({ webhooks }) => webhooks).map((id, n) => move(id, channel, n));
    expect(await outcomesOf(calls)).toEqual({ done: 1, refused: ['BAD_REQUEST'] });
    expect(await countOf('channel_id', channel)).toBe(MAX_PER_CHANNEL);
    expect(await countOf('guild_id', '82')).toBe(MAX_PER_CHANNEL - 1 + 16);
  });

  it('creations and moves together fill a channel exactly', async () => {
    const { channel } = await channelWith(MAX_PER_CHANNEL - 3, '83');
    const { webhooks } = await channelWith(12, '83');
    const calls = webhooks.flatMap((id, n) => [create(channel, n), move(id, channel, n + 1)]);
    expect(await outcomesOf(calls)).toEqual({ done: 3, refused: ['BAD_REQUEST'] });
    expect(await countOf('channel_id', channel)).toBe(MAX_PER_CHANNEL);
  });

  it('swaps between two full channels are all refused', async () => {
    const [one, two] = [await channelWith(15, '84'), await channelWith(15, '84')];
    const calls = one.webhooks
      .map((id, n) => move(id, two.channel, n))
      .concat(two.webhooks.map((id, n) => move(id, one.channel, n)));
    expect(await outcomesOf(calls)).toEqual({ done: 0, refused: ['BAD_REQUEST'] });
  });

  it('a guild gets exactly 1,000', async () => {
    await channelWith(MAX_PER_GUILD - 20, '85');
    const channels = await Promise.all(Array.from({ length: 8 }, () => channelWith(0, '85')));
    const calls = Array.from({ length: 64 }, (_, n) => create(channels[n % 8]?.channel ?? '', n));
    expect(await outcomesOf(calls)).toEqual({ done: 20, refused: ['BAD_REQUEST'] });
    expect(await countOf('guild_id', '85')).toBe(MAX_PER_GUILD);
  });
});

describe('a full channel', () => {
  it('an invalid name is reported before the limit', async () => {
    const { channel } = await channelWith(MAX_PER_CHANNEL, '87');
    expect(
      await refusalOf(fixture.client.createWebhook({ channel_id: channel, name: '' }, as(MANAGER))),
    ).toEqual(['BAD_REQUEST', 'name WEBHOOK_NAME_LENGTH_INVALID']);
  });

  it('has room again after a deletion, and after a move', async () => {
    const { channel, webhooks } = await channelWith(MAX_PER_CHANNEL, '88');
    const [first = '', second = ''] = webhooks;
    await fixture.client.deleteWebhook({ webhook_id: first }, as(MANAGER));
    expect(await outcomesOf([create(channel, 0), create(channel, 1)])).toEqual({
      done: 1,
      refused: ['BAD_REQUEST'],
    });
    await move(second, (await channelWith(0, '88')).channel, 0);
    expect(await outcomesOf([create(channel, 0), create(channel, 1)])).toEqual({
      done: 1,
      refused: ['BAD_REQUEST'],
    });
  });
});

it('the deletion of a channel makes room in its guild, and a full guild does not affect another', async () => {
  const { channel: ended } = await channelWith(MAX_PER_CHANNEL, '89');
  await channelWith(MAX_PER_GUILD - MAX_PER_CHANNEL, '89');
  const { channel } = await channelWith(0, '89');
  expect(await outcomesOf([create(channel, 0)])).toEqual({ done: 0, refused: ['BAD_REQUEST'] });
  expect(await outcomesOf([create((await channelWith(0, '90')).channel, 0)])).toEqual({
    done: 1,
    refused: [],
  });
  await fixture.client.endChannels({ channel_ids: [ended] }, anonymous);
  expect(await outcomesOf([create(channel, 0)])).toEqual({ done: 1, refused: [] });
});

it('a guild with 1,000 webhooks allows moves, and one creation after a deletion', async () => {
  const { webhooks } = await channelWith(MAX_PER_GUILD, '86');
  const { channel } = await channelWith(0, '86');
  const [first = '', second = ''] = webhooks;
  expect(await outcomesOf([move(first, channel, 0)])).toEqual({ done: 1, refused: [] });
  expect(await outcomesOf([create(channel, 0)])).toEqual({ done: 0, refused: ['BAD_REQUEST'] });
  await fixture.client.deleteWebhook({ webhook_id: second }, as(MANAGER));
  expect(await outcomesOf([create(channel, 0), create(channel, 1)])).toEqual({
    done: 1,
    refused: ['BAD_REQUEST'],
  });
});
