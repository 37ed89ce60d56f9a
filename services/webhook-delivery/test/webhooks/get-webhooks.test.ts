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
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('get_webhooks');
});
afterAll(() => fixture.close());

const STRANGER = '43';
const get = (webhook_id: string, account_id = MANAGER) =>
  fixture.client.getWebhook({ webhook_id }, as(account_id));
const ofChannel = (channel_id: string, account_id = MANAGER) =>
  fixture.client.listChannelWebhooks({ channel_id }, as(account_id));
const ofGuild = (guild_id: string, account_id = MANAGER) =>
  fixture.client.listGuildWebhooks({ guild_id }, as(account_id));

describe('a webhook', () => {
  it('is shown with its token and its creator to all its managers', async () => {
    const webhook = await addWebhook(fixture);
    fixture.managers.add('44');
    expect(await get(webhook.id)).toEqual({ webhook });
    expect(await get(webhook.id, '44')).toEqual({ webhook });
    expect(webhook).toMatchObject({
      token: expect.stringMatching(/^\w{64}$/),
      user: userOf(MANAGER, 'manager'),
    });
  });

  it('is shown to nobody else: 404 before 403', async () => {
    const { id } = await addWebhook(fixture);
    expect(await refusalOf(get(id, STRANGER))).toEqual(['FORBIDDEN']);
    expect(await refusalOf(get('999', STRANGER))).toEqual(['NOT_FOUND']);
    expect(await reasonOf(fixture.client.getWebhook({ webhook_id: id }, anonymous))).toBe('UNAUTHORIZED');
  });

  it('is not found once its channel is deleted', async () => {
    fixture.channels.set('62', GUILD);
    const { id } = await addWebhook(fixture, { channel_id: '62' });
    fixture.channels.delete('62');
    expect(await reasonOf(get(id))).toBe('NOT_FOUND');
  });

  it('has no user once its creator is deleted', async () => {
    fixture.accounts.set('45', userOf('45', 'leaver'));
    fixture.managers.add('45');
    fixture.channels.set('63', GUILD);
    const { webhook } = await fixture.client.createWebhook({ channel_id: '63', name: 'x' }, as('45'));
    expect(webhook?.user?.username).toBe('leaver');
    fixture.accounts.delete('45');
    expect((await get(webhook?.id ?? '')).webhook?.user).toBeNull();
  });
});

describe('the list of a channel', () => {
  it('has the webhooks of that channel only, by ID, with tokens and creators', async () => {
    fixture.channels.set('64', GUILD).set('65', GUILD);
    await addWebhook(fixture, { channel_id: '65' });
    const webhooks = [];
    for (const name of ['b', 'c', 'a']) webhooks.push(await addWebhook(fixture, { channel_id: '64', name }));
    expect(await ofChannel('64')).toEqual({ webhooks });
  });

  it('can be empty, without a call to auth', async () => {
    fixture.channels.set('66', GUILD);
    const before = fixture.lookups.length;
    expect(await ofChannel('66')).toEqual({ webhooks: [] });
    expect(fixture.lookups).toHaveLength(before);
  });

  it('returns chat’s errors about the channel', async () => {
    fixture.channels.set('67', null).set('68', GUILD);
    fixture.categories.add('68');
    expect(await refusalOf(ofChannel('999', STRANGER))).toEqual(['NOT_FOUND']);
    expect(await refusalOf(ofChannel('67'))).toEqual(['BAD_REQUEST']);
    expect(await refusalOf(ofChannel('68'))).toEqual(['BAD_REQUEST']);
    expect(await refusalOf(ofChannel('64', STRANGER))).toEqual(['FORBIDDEN']);
    const nobody = fixture.client.listChannelWebhooks({ channel_id: '64' }, anonymous);
    expect(await refusalOf(nobody)).toEqual(['UNAUTHORIZED']);
  });
});

describe('the list of a guild', () => {
  it('has the webhooks of the channels in which the caller may manage them, by ID', async () => {
    for (const channel of ['71', '72', '73']) fixture.channels.set(channel, '52');
    fixture.channels.set('74', '53');
    const shown = [];
    for (const channel_id of ['72', '73', '71', '72', '74']) {
      const webhook = await addWebhook(fixture, { channel_id });
      if (channel_id === '71' || channel_id === '72') shown.push(webhook);
    }
    fixture.closed.add('73');
    expect(await ofGuild('52')).toEqual({ webhooks: shown });
  });

  it('is empty for a guild without webhooks', async () => {
    fixture.channels.set('75', '54');
    expect(await ofGuild('54')).toEqual({ webhooks: [] });
  });

  it('reads all creators from auth with one call, also for 1,000 webhooks', async () => {
    fixture.channels.set('76', '55');
    await fixture.sql.query(
      `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
       SELECT n, 55, 76, 'x', 'x', 1000 + n % 500 FROM generate_series(1, 1000) AS n`,
    );
    fixture.accounts.set('1001', userOf('1001', 'one'));
    const before = fixture.lookups.length;
    const { webhooks } = await ofGuild('55');
    expect(webhooks.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, n) => String(n + 1)));
    expect(webhooks.slice(0, 2).map(({ user }) => user?.username)).toEqual(['one', undefined]);
    expect(fixture.lookups.slice(before).map(({ length }) => length)).toEqual([500]);
  });

  it('returns chat’s errors about the guild', async () => {
    expect(await refusalOf(ofGuild('999', STRANGER))).toEqual(['NOT_FOUND']);
    expect(await refusalOf(ofGuild(GUILD, STRANGER))).toEqual(['FORBIDDEN']);
    expect(await refusalOf(fixture.client.listGuildWebhooks({ guild_id: GUILD }, anonymous))).toEqual([
      'UNAUTHORIZED',
    ]);
  });
});

it('the holder of the token does not see the creator', async () => {
  const webhook = await addWebhook(fixture, { channel_id: '65' });
  const read = await fixture.client.getTokenWebhook(credentialOf(webhook), anonymous);
  expect(read.webhook).not.toHaveProperty('user');
});

describe('long lists of a guild', () => {
  it('are built two at a time, wait in a bounded queue, and do not block another account', async () => {
    for (let channel = 700; channel < 705; channel++) {
      fixture.channels.set(String(channel), '59');
      for (let count = 0; count < 15; count++)
        await addWebhook(fixture, { channel_id: String(channel), name: 'x'.repeat(80) });
    }
    const held = Promise.withResolvers<void>();
    fixture.beforeAuth.getUsers = () => held.promise;
    fixture.managers.add('46');
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
    delete fixture.beforeAuth.getUsers;
    expect((await other).webhooks).toHaveLength(75);
    expect(await Promise.all(lists)).toContain('listed');
  });
});
