import { afterEach, expect, test } from 'vitest';
import { addGuild, newId } from '../support/guilds.ts';
import { as, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
afterEach(() => fixture.close());

const start = async (name: string, replicas: number, deleted_channels_settle_ms: number) => {
  fixture = await startChat(name, replicas, { deleted_channels_settle_ms });
};

/** The remaining work. */
const left = async () => {
  const { rows } = await fixture.sql.query('SELECT channel_id FROM ended_channels ORDER BY channel_id');
  return rows.map(({ channel_id }) => channel_id);
};

const messagesIn = async (channel_id: string) => {
  const { rows } = await fixture.sql.query(
    'SELECT count(*)::integer AS n FROM messages WHERE channel_id = $1',
    [channel_id],
  );
  return rows[0].n;
};

const addMessages = (channel_id: string, n: number) =>
  fixture.sql.query(
    `INSERT INTO messages (channel_id, id, author_id, type, flags, content, embeds, mention_ids, mention_role_ids,
       mention_everyone)
     SELECT $1, n, 1, 0, 0, 'x', '[]', '{}', '{}', false FROM generate_series(1, $2::integer) AS n`,
    [channel_id, n],
  );

const addWebhook = (channel_id: string) => {
  const id = newId();
  fixture.webhookDelivery.webhooks.set(id, channel_id);
  return id;
};

const webhooks = () => [...fixture.webhookDelivery.webhooks.keys()];

/** The settling time where a test does not depend on it. */
const MINUTE_MS = 60_000;

test('webhooks and messages of a deleted channel are deleted, and no others', async () => {
  await start('chat_deleted', 1, 0);
  const { general, owner } = await addGuild(fixture);
  const { general: other } = await addGuild(fixture);
  await addMessages(general, 4_001);
  await addMessages(other, 3);
  addWebhook(general);
  const kept = addWebhook(other);
  await fixture.chat.deleteChannel({ channel_id: general }, as(owner));
  await expect.poll(left).toEqual([]);
  expect(webhooks()).toEqual([kept]);
  expect(await messagesIn(general)).toBe(0);
  expect(await messagesIn(other)).toBe(3);
});

test('webhooks and messages of all channels of a deleted guild are deleted', async () => {
  await start('chat_deleted_guild', 1, 0);
  const { general, guild_id, owner } = await addGuild(fixture);
  const { channel } = await fixture.chat.createChannel(
    { guild_id, name: 'second', permission_overwrites: [] },
    as(owner),
  );
  const channels = [general, channel?.id ?? ''];
  for (const id of channels) {
    addWebhook(id);
    await addMessages(id, 3);
  }
  await fixture.chat.deleteGuild({ guild_id }, as(owner));
  await expect.poll(left).toEqual([]);
  expect(webhooks()).toEqual([]);
  for (const id of channels) expect(await messagesIn(id)).toBe(0);
});

test('during an outage of webhook-delivery channels are deleted; it is called when it is back', async () => {
  await start('chat_deleted_away', 1, 0);
  const { general, owner } = await addGuild(fixture);
  addWebhook(general);
  await fixture.stopWebhookDelivery();
  await fixture.chat.createMessage(messageOf(general, 'x'), as(owner));
  await fixture.chat.deleteChannel({ channel_id: general }, as(owner));
  expect(await left()).toEqual([general]);
  await fixture.startWebhookDelivery();
  await expect.poll(left).toEqual([]);
  expect(webhooks()).toEqual([]);
  expect(await messagesIn(general)).toBe(0);
});

test('during an outage of webhook-delivery channels without webhooks are finished', async () => {
  await start('chat_deleted_private', 1, 0);
  const { general, owner } = await addGuild(fixture);
  await fixture.stopWebhookDelivery();
  await fixture.chat.deleteChannel({ channel_id: general }, as(owner));
  const direct = newId();
  await addMessages(direct, 3);
  await fixture.sql.query('INSERT INTO ended_channels (channel_id, webhooks_ended) VALUES ($1, true)', [
    direct,
  ]);
  await expect.poll(left).toEqual([general]);
  expect(await messagesIn(direct)).toBe(0);
});

test('a replica that stops during a call leaves the rest to another', async () => {
  await start('chat_deleted_killed', 2, 0);
  const { general, owner } = await addGuild(fixture);
  await addMessages(general, 3);
  addWebhook(general);
  let release = () => {};
  fixture.webhookDelivery.gate = new Promise((resolve) => {
    release = resolve;
  });
  await fixture.chat.deleteChannel({ channel_id: general }, as(owner));
  await expect.poll(() => fixture.webhookDelivery.ended).toContainEqual([general]);
  await fixture.stopReplica(0);
  expect(await left()).toEqual([general]);
  fixture.webhookDelivery.gate = Promise.resolve();
  release();
  await expect.poll(left).toEqual([]);
  expect(webhooks()).toEqual([]);
  expect(await messagesIn(general)).toBe(0);
});

test('webhook-delivery is called again later, so that a webhook that was being created is deleted too', async () => {
  await start('chat_deleted_again', 1, 5_000);
  const { general, owner } = await addGuild(fixture);
  await fixture.chat.deleteChannel({ channel_id: general }, as(owner));
  await expect.poll(() => fixture.webhookDelivery.ended).toEqual([[general]]);
  addWebhook(general);
  await expect.poll(webhooks).toEqual([]);
  await expect.poll(left).toEqual([]);
});

test('before that second call webhook-delivery is called once per channel, and other deleted channels do not wait', async () => {
  await start('chat_deleted_wait', 1, MINUTE_MS);
  const guilds = [await addGuild(fixture), await addGuild(fixture)];
  for (const { general, owner } of guilds) {
    await fixture.chat.deleteChannel({ channel_id: general }, as(owner));
    await expect.poll(() => fixture.webhookDelivery.ended.flat()).toContain(general);
  }
  expect(await left()).toEqual(guilds.map(({ general }) => general));
  expect(fixture.webhookDelivery.ended.flat()).toEqual(guilds.map(({ general }) => general));
});

test('webhook-delivery is called while many messages of another channel are being deleted', async () => {
  await start('chat_deleted_large', 1, MINUTE_MS);
  const [large, small] = [await addGuild(fixture), await addGuild(fixture)];
  await addMessages(large.general, 300_000);
  await fixture.chat.deleteChannel({ channel_id: large.general }, as(large.owner));
  await expect.poll(() => fixture.webhookDelivery.ended.flat()).toContain(large.general);
  await fixture.chat.deleteChannel({ channel_id: small.general }, as(small.owner));
  await expect.poll(() => fixture.webhookDelivery.ended.flat(), { interval: 5 }).toContain(small.general);
  expect(await messagesIn(large.general)).toBeGreaterThan(0);
  await expect.poll(() => messagesIn(large.general)).toBe(0);
});

test('two replicas finish many channels together', async () => {
  await start('chat_deleted_many', 2, 0);
  const guilds = await Promise.all(Array.from({ length: 24 }, () => addGuild(fixture)));
  for (const { general } of guilds) {
    addWebhook(general);
    await addMessages(general, 5);
  }
  await Promise.all(
    guilds.map(({ general, owner }, n) =>
      (fixture.replicas[n % 2] ?? fixture.chat).deleteChannel({ channel_id: general }, as(owner)),
    ),
  );
  await expect.poll(left).toEqual([]);
  expect(webhooks()).toEqual([]);
  const { rows } = await fixture.sql.query('SELECT FROM messages');
  expect(rows).toEqual([]);
});
