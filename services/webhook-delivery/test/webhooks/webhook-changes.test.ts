import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addWebhook,
  as,
  CHANNEL,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { changed, changesOf, current } from '../support.ts';

let fixture: WebhookDelivery;
/** The webhook's name at each arrival of a change at chat. */
const arrivals: string[] = [];
beforeAll(async () => {
  fixture = await startWebhookDelivery('webhook_changes', { replicas: 2 });
  fixture.channels.set('62', GUILD);
  fixture.before.recordWebhookChange = ({ webhook }) => arrivals.push(webhook?.name ?? '');
});
afterAll(() => fixture.close());

const arrivalsOf = (name: string) => arrivals.filter((arrived) => arrived === name).length;
const notes = async () => (await fixture.sql.query('SELECT FROM webhook_changes')).rowCount;

function rename(webhook_id: string, name: string, client = fixture.client) {
  return client.updateWebhook({ webhook_id, name, avatar: null }, as(MANAGER));
}

describe('chat receives', () => {
  it('a new webhook with its channel and all members, once, before the answer', async () => {
    const webhook = await addWebhook(fixture, { name: 'new' });
    const { id, guild_id } = webhook;
    expect(changesOf(fixture, webhook)).toEqual([
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
    const { webhook } = await fixture.client.createWebhook(request, as(MANAGER));
    expect(changesOf(fixture, { id: webhook?.id ?? '' })[0]?.entry?.reason).toBe('für uns');
  });
});

describe('changes made while chat is unavailable', () => {
  it('are sent later, each once, by any replica', async () => {
    const webhooks = await Promise.all(
      Array.from({ length: 5 }, (_, n) => addWebhook(fixture, { name: `w${n}` })),
    );
    // Chat stops between the authorization and the report.
    const recordArrival = fixture.before.recordWebhookChange;
    fixture.before.recordWebhookChange = () => Promise.reject(new Error('chat is ending'));
    await Promise.all(webhooks.map(({ id }, n) => rename(id, `renamed ${n}`)));
    await fixture.stopChat();
    if (recordArrival !== undefined) fixture.before.recordWebhookChange = recordArrival;
    for (const { id } of webhooks) {
      const { rows } = await fixture.sql.query('SELECT name FROM webhooks WHERE id = $1', [id]);
      expect(rows[0].name).toMatch(/^renamed/); // the change is valid whether or not chat has it
    }
    expect(await notes()).toBe(5);

    await fixture.startChat();
    await expect.poll(notes).toBe(0);
    for (const [n, webhook] of webhooks.entries()) {
      expect(arrivalsOf(`renamed ${n}`)).toBe(1);
      expect(changesOf(fixture, webhook).map(({ revision }) => revision)).toEqual([1, 2]);
    }
  });

  it('are shared by the replicas if there are many', async () => {
    const { id } = await addWebhook(fixture, { name: 'many' });
    const [made] = changesOf(fixture, { id });
    await fixture.sql.query(
      `INSERT INTO webhook_changes (id, change, next_attempt_at)
       SELECT n, jsonb_set($1::jsonb, '{id}', to_jsonb(n::text)), now() FROM generate_series(1, 100) AS n`,
      [{ ...made, webhook: { ...made?.webhook, name: 'one of many' } }],
    );
    await expect.poll(notes).toBe(0);
    expect(arrivalsOf('one of many')).toBe(100);
  });
});

describe('unsent changes of a killed process', () => {
  it('are sent by another one, once', async () => {
    const webhook = await addWebhook(fixture);
    const replica = await fixture.startReplicaProcess();
    const recordArrival = fixture.before.recordWebhookChange;
    let reached = () => {};
    const atChat = new Promise<void>((resolve) => {
      reached = resolve;
    });
    fixture.before.recordWebhookChange = () => {
      reached();
      return Promise.reject(new Error('nothing is recorded')); // and the process is gone
    };
    const call = rename(webhook.id, 'before the end', replica.client).catch(() => undefined);
    await atChat;
    await replica.kill();
    if (recordArrival !== undefined) fixture.before.recordWebhookChange = recordArrival;
    await call;

    await expect.poll(notes).toBe(0);
    expect(arrivalsOf('before the end')).toBe(1);
    expect(changesOf(fixture, webhook).at(-1)).toMatchObject({
      revision: 2,
      entry: { action_type: 51, changes: [changed('name', 'Deploys', 'before the end')] },
    });
    expect((await current(fixture, webhook)).name).toBe('before the end');
  });
});
