import { refusalOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  lastPosted,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { changed, changesOf, current, newChannel, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('update_webhook', { replicas: 2 });
});
afterAll(() => fixture.close());

/** A webhook in a channel of its own. */
function newWebhook(webhook: { name?: string; avatar?: string } = {}) {
  return addWebhook(fixture, { channel_id: newChannel(fixture), ...webhook });
}

type Change = { name?: string | null; avatar?: { value?: string | null } | null; reason?: string };

function update({ id }: { id: string }, change: Change, account_id = MANAGER, client = fixture.client) {
  return client.updateWebhook({ webhook_id: id, avatar: null, ...change }, as(account_id));
}

const base64 = (color: string) => onePixel(color).toString('base64');

describe('a change', () => {
  it('of the name keeps the rest, and the next message has it', async () => {
    const webhook = await newWebhook({ avatar: base64('red') });
    const answer = await update(webhook, { name: ' Alarms ' });
    expect(answer).toEqual({ webhook: { ...webhook, name: 'Alarms' } });
    expect(await current(fixture, webhook)).toEqual(answer.webhook);
    const body = bodyOf({ content: 'x' });
    await fixture.client.executeWebhook({ ...credentialOf(webhook), body }, anonymous);
    expect(lastPosted(fixture)).toMatchObject({ username: 'Alarms', avatar: pictureHash(onePixel('red')) });
  });

  it('of the avatar publishes the new one; null removes it', async () => {
    const webhook = await newWebhook();
    const hash = pictureHash(onePixel('blue'));
    const answer = await update(webhook, { avatar: { value: base64('blue') } });
    expect(answer).toEqual({ webhook: { ...webhook, avatar: hash } });
    expect(fixture.media.published).toContain(hash);
    expect(fixture.media.uploads.size).toBe(0);
    expect(await update(webhook, { avatar: {} })).toEqual({ webhook });
    expect(fixture.media.published).toContain(hash); // earlier messages show it
  });

  it('is sent to chat once, with its user, the reason, and the changed members only', async () => {
    const webhook = await newWebhook({ name: 'old' });
    const { id, guild_id, channel_id } = webhook;
    await update(webhook, { name: 'new', reason: 'spring%20cleaning' });
    await update(webhook, { avatar: { value: base64('red') } });
    const hash = pictureHash(onePixel('red'));
    expect(changesOf(fixture, webhook).slice(1)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        webhook: { id, guild_id, channel_id, name: 'new', avatar: null },
        revision: 2,
        channel_id,
        entry: {
          action_type: 51,
          user_id: MANAGER,
          reason: 'spring cleaning',
          changes: [changed('name', 'old', 'new')],
        },
      },
      expect.objectContaining({
        revision: 3,
        entry: expect.objectContaining({ reason: null, changes: [changed('avatar_hash', null, hash)] }),
      }),
    ]);
  });

  it.each<[string, Change]>([
    ['nothing', {}],
    ['null for the name', { name: null }],
    ['the name that it has', { name: ' Deploys ' }],
    ['no avatar where there is none', { avatar: {} }],
  ])('to %s succeeds and is not reported', async (_what, change) => {
    const webhook = await newWebhook();
    expect(await update(webhook, change)).toEqual({ webhook });
    expect(changesOf(fixture, webhook)).toHaveLength(1);
  });

  it('to the current picture is not reported', async () => {
    const webhook = await newWebhook({ avatar: base64('red') });
    expect(await update(webhook, { avatar: { value: base64('red') } })).toEqual({ webhook });
    expect(changesOf(fixture, webhook)).toHaveLength(1);
    await expect.poll(() => fixture.media.uploads.size).toBe(0);
  });
});

describe('is refused', () => {
  it('with 404, then 403, then 400', async () => {
    const webhook = await newWebhook();
    const bad = { name: '', avatar: { value: 'nonsense' } };
    expect(await refusalOf(update({ id: '999' }, bad, '43'))).toEqual(['NOT_FOUND']);
    expect(await refusalOf(update(webhook, bad, '43'))).toEqual(['FORBIDDEN']);
    expect(await refusalOf(update(webhook, bad))).toEqual([
      'BAD_REQUEST',
      'name WEBHOOK_NAME_LENGTH_INVALID',
      'avatar INVALID_FORMAT',
    ]);
    const nobody = fixture.client.updateWebhook({ webhook_id: webhook.id, avatar: null }, anonymous);
    expect(await refusalOf(nobody)).toEqual(['UNAUTHORIZED']);
    expect(await current(fixture, webhook)).toEqual(webhook);
    expect(changesOf(fixture, webhook)).toHaveLength(1);
  });

  it('without leaving a picture', async () => {
    const webhook = await newWebhook();
    await refusalOf(update(webhook, { name: '', avatar: { value: base64('green') } }));
    await expect.poll(() => fixture.media.uploads.size).toBe(0);
    expect(fixture.media.published).not.toContain(pictureHash(onePixel('green')));
  });

  it('with 503 for a picture while media is unavailable; other changes succeed', async () => {
    const webhook = await newWebhook();
    await fixture.stopMedia();
    try {
      const refusal = await refusalOf(update(webhook, { name: 'x', avatar: { value: base64('red') } }));
      expect(refusal).toEqual(['SERVICE_UNAVAILABLE']);
      expect(await current(fixture, webhook)).toEqual(webhook);
      expect(await update(webhook, { name: 'y' })).toEqual({ webhook: { ...webhook, name: 'y' } });
    } finally {
      await fixture.startMedia();
    }
    await expect
      .poll(() => refusalOf(update(webhook, { avatar: { value: 'nonsense' } })))
      .toEqual(['BAD_REQUEST', 'avatar INVALID_FORMAT']);
  });
});

describe('concurrent changes at two replicas', () => {
  it('of different members lose nothing, and have one revision each', async () => {
    const webhook = await newWebhook({ name: 'old' });
    const calls = Array.from({ length: 16 }, (_, n) =>
      update(
        webhook,
        n % 2 === 0 ? { name: `name ${n}` } : { avatar: { value: base64(`colour ${n}`) } },
        MANAGER,
        replicaOf(fixture, n >> 1),
      ),
    );
    await Promise.all(calls);
    const recorded = changesOf(fixture, webhook).toSorted((a, b) => a.revision - b.revision);
    expect(recorded.map(({ revision }) => revision)).toEqual(Array.from({ length: 17 }, (_, n) => n + 1));
    // Each starts from the state after the previous one, and names only its own member.
    for (const [n, { webhook: after, entry }] of recorded.entries()) {
      if (n === 0) continue;
      const before = recorded[n - 1]?.webhook;
      expect(entry?.changes).toHaveLength(1);
      expect([
        [changed('name', before?.name ?? '', after?.name ?? '')],
        [changed('avatar_hash', before?.avatar ?? null, after?.avatar ?? null)],
      ]).toContainEqual(entry?.changes);
    }
    const { name, avatar } = await current(fixture, webhook);
    expect(recorded.at(-1)?.webhook).toMatchObject({ name, avatar });
    expect(name).toMatch(/^name \d+$/);
    expect(avatar).not.toBeNull();
  });

  it('to the same name are one change', async () => {
    const webhook = await newWebhook({ name: 'old' });
    const calls = Array.from({ length: 16 }, (_, n) =>
      update(webhook, { name: 'same' }, MANAGER, replicaOf(fixture, n)),
    );
    for (const { webhook: answer } of await Promise.all(calls)) expect(answer?.name).toBe('same');
    expect(changesOf(fixture, webhook).map(({ revision }) => revision)).toEqual([1, 2]);
  });
});
