import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changed, changesOf, current } from '../support.ts';
import {
  addWebhook,
  as,
  CHANNEL,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../webhook-delivery.ts';

let suite: WebhookDelivery;
/** The webhook's name at each arrival of a change at chat. */
const arrivals: string[] = [];
beforeAll(async () => {
  suite = await startWebhookDelivery('webhook_changes', { replicas: 2 });
  suite.channels.set('62', GUILD);
  suite.before.recordWebhookChange = ({ webhook }) => arrivals.push(webhook?.name ?? '');
});
afterAll(() => suite.close());

const arrivalsOf = (name: string) => arrivals.filter((arrived) => arrived === name).length;
const notes = async () => (await suite.sql.query('SELECT FROM webhook_changes')).rowCount;

function rename(webhook_id: string, name: string, client = suite.client) {
  return client.updateWebhook({ webhook_id, name, avatar: null }, as(MANAGER));
}

describe('chat is told', () => {
  it('of a new webhook has its channel and all members, once, before the answer', async () => {
    const webhook = await addWebhook(suite, { name: 'new' });
    const { id, guild_id } = webhook;
    expect(changesOf(suite, webhook)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        webhook: { id, guild_id, channel_id: CHANNEL, name: 'new', avatar: null },
        revision: 1,
        channel_id: CHANNEL,
        entry: {
          action_type: 50,
          user_id: MANAGER,
          reason: null,
          changes: [changed('name', null, 'new'), changed('channel_id', null, CHANNEL)],
        },
      },
    ]);
    expect(arrivalsOf('new')).toBe(1);
    expect(await notes()).toBe(0);
  });

  it('the reason of a creation', async () => {
    const request = { channel_id: CHANNEL, name: 'reasoned', reason: 'f%C3%BCr%20uns' };
    const { webhook } = await suite.client.createWebhook(request, as(MANAGER));
    expect(changesOf(suite, { id: webhook?.id ?? '' })[0]?.entry?.reason).toBe('für uns');
  });
});

describe('changes made while chat is unavailable', () => {
  it('are sent later, each once, by any replica', async () => {
    const webhooks = await Promise.all(
      Array.from({ length: 5 }, (_, n) => addWebhook(suite, { name: `w${n}` })),
    );
    // Chat checks the permission, so it ends between the check and the report.
    const told = suite.before.recordWebhookChange;
    suite.before.recordWebhookChange = () => Promise.reject(new Error('chat is ending'));
    await Promise.all(webhooks.map(({ id }, n) => rename(id, `renamed ${n}`)));
    await suite.stopChat();
    if (told !== undefined) suite.before.recordWebhookChange = told;
    for (const { id } of webhooks) {
      const { rows } = await suite.sql.query('SELECT name FROM webhooks WHERE id = $1', [id]);
      expect(rows[0].name).toMatch(/^renamed/); // the change is valid whether or not chat has it
    }
    expect(await notes()).toBe(5);

    await suite.startChat();
    await expect.poll(notes).toBe(0);
    for (const [n, webhook] of webhooks.entries()) {
      expect(arrivalsOf(`renamed ${n}`)).toBe(1);
      expect(changesOf(suite, webhook).map(({ revision }) => revision)).toEqual([1, 2]);
    }
  });

  it('many of them, too, shared by the replicas', async () => {
    const { id } = await addWebhook(suite, { name: 'many' });
    const [made] = changesOf(suite, { id });
    await suite.sql.query(
      `INSERT INTO webhook_changes (id, change, next_attempt_at)
       SELECT n, jsonb_set($1::jsonb, '{id}', to_jsonb(n::text)), now() FROM generate_series(1, 100) AS n`,
      [{ ...made, webhook: { ...made?.webhook, name: 'one of many' } }],
    );
    await expect.poll(notes).toBe(0);
    expect(arrivalsOf('one of many')).toBe(100);
  });
});

describe('the unsent changes of a killed process', () => {
  it('are sent by another one, once', async () => {
    const webhook = await addWebhook(suite);
    const replica = await suite.startProcess();
    const told = suite.before.recordWebhookChange;
    let reached = () => {};
    const atChat = new Promise<void>((resolve) => {
      reached = resolve;
    });
    suite.before.recordWebhookChange = () => {
      reached();
      return Promise.reject(new Error('nothing is recorded')); // and the process is gone
    };
    const call = rename(webhook.id, 'before the end', replica.client).catch(() => undefined);
    await atChat;
    await replica.kill();
    if (told !== undefined) suite.before.recordWebhookChange = told;
    await call;

    await expect.poll(notes).toBe(0);
    expect(arrivalsOf('before the end')).toBe(1);
    expect(changesOf(suite, webhook).at(-1)).toMatchObject({
      revision: 2,
      entry: { action_type: 51, changes: [changed('name', 'Deploys', 'before the end')] },
    });
    expect((await current(suite, webhook)).name).toBe('before the end');
  });
});
