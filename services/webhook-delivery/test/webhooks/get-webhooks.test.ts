import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  as,
  credentialOf,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  userOf,
  type WebhookDelivery,
} from '../webhook-delivery.ts';

let suite: WebhookDelivery;
beforeAll(async () => {
  suite = await startWebhookDelivery('get_webhooks');
});
afterAll(() => suite.close());

const STRANGER = '43';
const get = (webhook_id: string, who = MANAGER) => suite.client.getWebhook({ webhook_id }, as(who));
const ofChannel = (channel_id: string, who = MANAGER) =>
  suite.client.listChannelWebhooks({ channel_id }, as(who));
const ofGuild = (guild_id: string, who = MANAGER) => suite.client.listGuildWebhooks({ guild_id }, as(who));

describe('a webhook', () => {
  it('is shown with its token and its creator to all its managers', async () => {
    const webhook = await addWebhook(suite);
    suite.managers.add('44');
    expect(await get(webhook.id)).toEqual({ webhook });
    expect(await get(webhook.id, '44')).toEqual({ webhook });
    expect(webhook).toMatchObject({
      token: expect.stringMatching(/^\w{64}$/),
      user: userOf(MANAGER, 'manager'),
    });
  });

  it('is shown to nobody else: 404 before 403', async () => {
    const { id } = await addWebhook(suite);
    expect(await refusalOf(get(id, STRANGER))).toEqual(['FORBIDDEN']);
    expect(await refusalOf(get('999', STRANGER))).toEqual(['NOT_FOUND']);
    expect(await reasonOf(suite.client.getWebhook({ webhook_id: id }, anonymous))).toBe('UNAUTHORIZED');
  });

  it('is not found once its channel is deleted', async () => {
    suite.channels.set('62', GUILD);
    const { id } = await addWebhook(suite, { channel_id: '62' });
    suite.channels.delete('62');
    expect(await reasonOf(get(id))).toBe('NOT_FOUND');
  });

  it('has no user once its creator is deleted', async () => {
    suite.accounts.set('45', userOf('45', 'leaver'));
    suite.managers.add('45');
    suite.channels.set('63', GUILD);
    const { webhook } = await suite.client.createWebhook({ channel_id: '63', name: 'x' }, as('45'));
    expect(webhook?.user?.username).toBe('leaver');
    suite.accounts.delete('45');
    expect((await get(webhook?.id ?? '')).webhook?.user).toBeNull();
  });
});

describe('the list of a channel', () => {
  it('has the webhooks of that channel only, by ID, with tokens and creators', async () => {
    suite.channels.set('64', GUILD).set('65', GUILD);
    await addWebhook(suite, { channel_id: '65' });
    const webhooks = [];
    for (const name of ['b', 'c', 'a']) webhooks.push(await addWebhook(suite, { channel_id: '64', name }));
    expect(await ofChannel('64')).toEqual({ webhooks });
  });

  it('can be empty, without a call to auth', async () => {
    suite.channels.set('66', GUILD);
    const before = suite.lookups.length;
    expect(await ofChannel('66')).toEqual({ webhooks: [] });
    expect(suite.lookups).toHaveLength(before);
  });

  it('has the errors of chat for the channel', async () => {
    suite.channels.set('67', null).set('68', GUILD);
    suite.categories.add('68');
    expect(await refusalOf(ofChannel('999', STRANGER))).toEqual(['NOT_FOUND']);
    expect(await refusalOf(ofChannel('67'))).toEqual(['BAD_REQUEST']);
    expect(await refusalOf(ofChannel('68'))).toEqual(['BAD_REQUEST']);
    expect(await refusalOf(ofChannel('64', STRANGER))).toEqual(['FORBIDDEN']);
    const nobody = suite.client.listChannelWebhooks({ channel_id: '64' }, anonymous);
    expect(await refusalOf(nobody)).toEqual(['UNAUTHORIZED']);
  });
});

describe('the list of a guild', () => {
  it('has the webhooks of the channels in which the caller may manage them, by ID', async () => {
    for (const channel of ['71', '72', '73']) suite.channels.set(channel, '52');
    suite.channels.set('74', '53');
    const shown = [];
    for (const channel_id of ['72', '73', '71', '72', '74']) {
      const webhook = await addWebhook(suite, { channel_id });
      if (channel_id === '71' || channel_id === '72') shown.push(webhook);
    }
    suite.closed.add('73');
    expect(await ofGuild('52')).toEqual({ webhooks: shown });
  });

  it('is empty without any', async () => {
    suite.channels.set('75', '54');
    expect(await ofGuild('54')).toEqual({ webhooks: [] });
  });

  it('reads all creators from auth with one call, also for 1,000 webhooks', async () => {
    suite.channels.set('76', '55');
    await suite.sql.query(
      `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
       SELECT n, 55, 76, 'x', 'x', 1000 + n % 500 FROM generate_series(1, 1000) AS n`,
    );
    suite.accounts.set('1001', userOf('1001', 'one'));
    const before = suite.lookups.length;
    const { webhooks } = await ofGuild('55');
    expect(webhooks.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, n) => String(n + 1)));
    expect(webhooks.slice(0, 2).map(({ user }) => user?.username)).toEqual(['one', undefined]);
    expect(suite.lookups.slice(before).map(({ length }) => length)).toEqual([500]);
  });

  it('has the errors of chat for the guild', async () => {
    expect(await refusalOf(ofGuild('999', STRANGER))).toEqual(['NOT_FOUND']);
    expect(await refusalOf(ofGuild(GUILD, STRANGER))).toEqual(['FORBIDDEN']);
    expect(await refusalOf(suite.client.listGuildWebhooks({ guild_id: GUILD }, anonymous))).toEqual([
      'UNAUTHORIZED',
    ]);
  });
});

it('the holder of the token does not see the creator', async () => {
  const webhook = await addWebhook(suite, { channel_id: '65' });
  const read = await suite.client.getTokenWebhook(credentialOf(webhook), anonymous);
  expect(read.webhook).not.toHaveProperty('user');
});

describe('long lists of a guild', () => {
  it('are built two at a time, wait in a bounded queue, and do not block those of another account', async () => {
    for (let channel = 700; channel < 705; channel++) {
      suite.channels.set(String(channel), '59');
      for (let count = 0; count < 15; count++)
        await addWebhook(suite, { channel_id: String(channel), name: 'x'.repeat(80) });
    }
    const held = Promise.withResolvers<void>();
    suite.beforeAuth.getUsers = () => held.promise;
    suite.managers.add('46');
    const refused: string[] = [];
    const lists = Array.from({ length: 70 }, () =>
      reasonOf(ofGuild('59')).then(
        (reason) => void refused.push(reason),
        () => 'listed',
      ),
    );
    // Two are being built, and 64 wait.
    await expect.poll(() => refused).toEqual(Array(4).fill('SERVICE_UNAVAILABLE'));
    const other = ofGuild('59', '46');
    held.resolve();
    delete suite.beforeAuth.getUsers;
    expect((await other).webhooks).toHaveLength(75);
    expect(await Promise.all(lists)).toContain('listed');
  });
});
