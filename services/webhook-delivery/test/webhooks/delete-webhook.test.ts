import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { changesOf, current, onceBeforeAuthorization, outcomesOf, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('delete_webhook', { replicas: 2 });
  fixture.channels.set('62', GUILD);
});
afterAll(() => fixture.close());

const remove = ({ id }: { id: string }, account_id = MANAGER, client = fixture.client) =>
  client.deleteWebhook({ webhook_id: id, reason: 'no%20use' }, as(account_id));

describe('a deleted webhook', () => {
  it('is not found on any route, and its messages stay', async () => {
    const webhook = await addWebhook(fixture);
    const body = bodyOf({ content: 'stays' });
    await fixture.client.executeWebhook({ ...credentialOf(webhook), body }, anonymous);
    const messages = fixture.messages.size;
    expect(await remove(webhook)).toEqual({});
    expect(fixture.messages.size).toBe(messages);
    const gone = [
      fixture.client.getWebhook({ webhook_id: webhook.id }, as(MANAGER)),
      fixture.client.updateWebhook({ webhook_id: webhook.id, avatar: null }, as(MANAGER)),
      fixture.client.getTokenWebhook(credentialOf(webhook), anonymous),
      fixture.client.executeWebhook({ ...credentialOf(webhook), body }, anonymous),
      remove(webhook),
    ];
    expect(await Promise.all(gone.map(reasonOf))).toEqual(gone.map(() => 'NOT_FOUND'));
  });

  it('is sent to chat once, with the last state, the user and the reason', async () => {
    const webhook = await addWebhook(fixture, { name: 'brief' });
    const { id, guild_id, channel_id } = webhook;
    await remove(webhook);
    const [made, ended, ...more] = changesOf(fixture, webhook);
    expect(made?.entry?.action_type).toBe(50);
    expect(more).toEqual([]);
    expect(ended).toMatchObject({
      webhook: { id, guild_id, channel_id, name: 'brief', avatar: null },
      revision: 2,
      channel_id,
      entry: { action_type: 52, user_id: MANAGER, reason: 'no use' },
    });
    expect(ended?.entry?.changes).toEqual([
      { key: 'name', old_value: '"brief"', new_value: null },
      { key: 'channel_id', old_value: JSON.stringify(channel_id), new_value: null },
    ]);
  });
});

describe('deleting', () => {
  it('is refused with 404, then 403', async () => {
    const webhook = await addWebhook(fixture);
    expect(await refusalOf(remove({ id: '999' }, '43'))).toEqual(['NOT_FOUND']);
    expect(await refusalOf(remove(webhook, '43'))).toEqual(['FORBIDDEN']);
    const nobody = fixture.client.deleteWebhook({ webhook_id: webhook.id }, anonymous);
    expect(await refusalOf(nobody)).toEqual(['UNAUTHORIZED']);
    expect(await current(fixture, webhook)).toEqual(webhook);
  });

  it('needs the permission in the current channel of the webhook', async () => {
    const webhook = await addWebhook(fixture);
    onceBeforeAuthorization(fixture, async () => {
      const { id: webhook_id } = webhook;
      await fixture.client.updateWebhook({ webhook_id, channel_id: '62', avatar: null }, as(MANAGER));
      fixture.closed.add('62');
    });
    expect(await refusalOf(remove(webhook))).toEqual(['FORBIDDEN']);
    fixture.closed.delete('62');
    expect((await current(fixture, webhook)).channel_id).toBe('62');
  });

  it('by 16 concurrent calls at two replicas succeeds once, and is reported once', async () => {
    const webhook = await addWebhook(fixture);
    const calls = Array.from({ length: 16 }, (_, n) => remove(webhook, MANAGER, replicaOf(fixture, n)));
    expect(await outcomesOf(calls)).toEqual({ done: 1, refused: ['NOT_FOUND'] });
    expect(changesOf(fixture, webhook).map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it('is the last of concurrent changes', async () => {
    for (let round = 0; round < 8; round++) {
      const webhook = await addWebhook(fixture);
      const { id: webhook_id } = webhook;
      const calls = Array.from({ length: 16 }, (_, n) => {
        const replica = replicaOf(fixture, n);
        if (n === 2 * round) return remove(webhook, MANAGER, replica);
        return replica.updateWebhook({ webhook_id, name: `name ${n}`, avatar: null }, as(MANAGER));
      });
      const { refused } = await outcomesOf(calls);
      expect(refused.filter((reason) => reason !== 'NOT_FOUND')).toEqual([]);
      const recorded = changesOf(fixture, webhook).toSorted((a, b) => a.revision - b.revision);
      expect(recorded.at(-1)?.entry?.action_type).toBe(52);
      expect(recorded.map(({ revision }) => revision)).toEqual(recorded.map((_, n) => n + 1));
      expect(await refusalOf(current(fixture, webhook))).toEqual(['NOT_FOUND']);
    }
  });
});
