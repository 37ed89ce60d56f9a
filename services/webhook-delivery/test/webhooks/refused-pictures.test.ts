import { reasonOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { onePixel } from '../../../media/client/test/pictures.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  CHANNEL,
  credentialOf,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { changesOf, newChannel } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('refused_pictures');
});
afterAll(() => fixture.close());

const avatar = onePixel('blue').toString('base64');
const create = (channel_id: string) =>
  fixture.client.createWebhook({ channel_id, name: 'x', avatar }, as(MANAGER));
const update = ({ id }: Webhook, channel_id?: string) =>
  fixture.client.updateWebhook({ webhook_id: id, avatar: { value: avatar }, channel_id }, as(MANAGER));
const updateByToken = (webhook: Webhook) =>
  fixture.client.updateTokenWebhook({ ...credentialOf(webhook), body: bodyOf({ avatar }) }, anonymous);

/** Runs `act` once, while media reads the next picture. */
function meanwhile(act: () => unknown): void {
  fixture.media.before.storePicture = () => {
    delete fixture.media.before.storePicture;
    return act();
  };
}

/** Publishing is irrevocable, so refused pictures must not be published. */
afterEach(async () => {
  expect([...fixture.media.published]).toEqual([]);
  await expect.poll(() => fixture.media.uploads.size).toBe(0);
});

describe('a picture counts against the daily limits', () => {
  /** Media refuses them, so that nothing is published. */
  const nonsense = Buffer.from('nonsense').toString('base64');

  it('of the guild and the sender, which is the webhook on token routes', async () => {
    const webhook = await addWebhook(fixture);
    const origins: string[] = [];
    fixture.media.before.storePicture = ({ sender, guild_id }) => origins.push(`${sender} ${guild_id}`);
    const refused = [
      fixture.client.createWebhook({ channel_id: CHANNEL, name: 'x', avatar: nonsense }, as(MANAGER)),
      fixture.client.updateWebhook({ webhook_id: webhook.id, avatar: { value: nonsense } }, as(MANAGER)),
      fixture.client.updateTokenWebhook(
        { ...credentialOf(webhook), body: bodyOf({ avatar: nonsense }) },
        anonymous,
      ),
    ];
    expect(await Promise.all(refused.map(reasonOf))).toEqual(refused.map(() => 'BAD_REQUEST'));
    delete fixture.media.before.storePicture;
    const [manager, token] = [`${MANAGER} ${GUILD}`, `${webhook.id} ${GUILD}`];
    expect(origins.sort()).toEqual([manager, manager, token].sort());
  });
});

describe('a picture is not published', () => {
  it('for a webhook over the maximum number', async () => {
    const full = newChannel(fixture);
    for (let n = 0; n < 15; n++) await addWebhook(fixture, { channel_id: full });
    expect(await reasonOf(create(full))).toBe('BAD_REQUEST');
    expect(await reasonOf(update(await addWebhook(fixture), full))).toBe('BAD_REQUEST');
  });

  it('for a webhook that is deleted meanwhile', async () => {
    const webhook = await addWebhook(fixture);
    const remove = () => fixture.client.deleteTokenWebhook(credentialOf(webhook), anonymous);
    meanwhile(remove);
    expect(await reasonOf(updateByToken(webhook))).toBe('NOT_FOUND');
    const managed = await addWebhook(fixture);
    meanwhile(() => fixture.client.deleteWebhook({ webhook_id: managed.id }, as(MANAGER)));
    expect(await reasonOf(update(managed))).toBe('NOT_FOUND');
  });

  it('for a caller that loses the permission meanwhile, and nothing changes', async () => {
    const channel_id = newChannel(fixture);
    const webhook = await addWebhook(fixture, { channel_id });
    for (const call of [() => create(channel_id), () => update(webhook), () => update(webhook, CHANNEL)]) {
      meanwhile(() => fixture.closed.add(channel_id));
      expect(await reasonOf(call())).toBe('FORBIDDEN');
      fixture.closed.delete(channel_id);
    }
    meanwhile(() => fixture.closed.add(CHANNEL));
    expect(await reasonOf(update(webhook, CHANNEL))).toBe('FORBIDDEN');
    fixture.closed.delete(CHANNEL);
    expect(changesOf(fixture, webhook)).toHaveLength(1);
    const { webhooks } = await fixture.client.listChannelWebhooks({ channel_id }, as(MANAGER));
    expect(webhooks).toEqual([webhook]);
  });
});
