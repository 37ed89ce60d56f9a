import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  CHANNEL,
  credentialOf,
  GUILD,
  lastPosted,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('create_webhook', { replicas: 2 });
});
afterAll(() => fixture.close());

function create(webhook: { channel_id?: string; name?: string | null; avatar?: string | null }) {
  return fixture.client.createWebhook({ channel_id: CHANNEL, name: 'x', ...webhook }, as(MANAGER));
}

describe('a new webhook', () => {
  it('has its token and its creator; token routes omit the creator', async () => {
    const { webhook } = await create({ name: ' Deploys ' });
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[1-9]\d+$/),
      guild_id: GUILD,
      channel_id: CHANNEL,
      name: 'Deploys',
      avatar: null,
      token: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      type: 1,
      application_id: null,
      url: `https://api.test/api/v1/webhooks/${webhook?.id}/${webhook?.token}`,
      user: fixture.accounts.get(MANAGER),
    });
    if (webhook === null) return;
    const read = await fixture.client.getTokenWebhook(credentialOf(webhook), anonymous);
    const { user: _, ...rest } = webhook;
    expect(read.webhook).toEqual(rest);
  });

  it('has no user if its creator is deleted', async () => {
    fixture.managers.add('42');
    fixture.channels.set('62', GUILD);
    const { webhook } = await fixture.client.createWebhook({ channel_id: '62', name: 'x' }, as('42'));
    expect(webhook?.user).toBeNull();
  });

  it('shows a picture that is public at media', async () => {
    fixture.channels.set('63', GUILD);
    const png = onePixel('red');
    const avatar = `data:image/png;base64,${png.toString('base64')}`;
    const one = await addWebhook(fixture, { channel_id: '63', avatar });
    const two = await addWebhook(fixture, { channel_id: '63', avatar });
    expect([one.avatar, two.avatar]).toEqual([pictureHash(png), pictureHash(png)]);
    expect([...fixture.media.published]).toEqual([pictureHash(png)]);
    expect(fixture.media.uploads.size).toBe(0);
  });

  it('is created and posts without a picture while media is unavailable; with one, it is refused with 503', async () => {
    fixture.channels.set('66', GUILD);
    await fixture.stopMedia();
    try {
      const avatar = onePixel('blue').toString('base64');
      expect(await reasonOf(create({ channel_id: '66', avatar }))).toBe('SERVICE_UNAVAILABLE');
      const webhook = await addWebhook(fixture, { channel_id: '66' });
      const body = bodyOf({ content: 'posted' });
      await fixture.client.executeWebhook({ ...credentialOf(webhook), body }, anonymous);
      expect(lastPosted(fixture).content).toBe('posted');
    } finally {
      await fixture.startMedia();
    }
    // Until the connection is back, further calls would be refused, too.
    await expect.poll(() => reasonOf(create({ channel_id: '66', avatar: 'nonsense' }))).toBe('BAD_REQUEST');
  });
});

describe('is refused', () => {
  it('without an account', async () => {
    const call = fixture.client.createWebhook({ channel_id: CHANNEL, name: 'x' }, anonymous);
    expect(await reasonOf(call)).toBe('UNAUTHORIZED');
  });

  it('with chat’s errors for channel and caller, before the form is checked', async () => {
    fixture.channels.set('64', null);
    expect(await reasonOf(create({ channel_id: '999', name: '' }))).toBe('NOT_FOUND');
    expect(await refusalOf(create({ channel_id: '64', name: '' }))).toEqual(['BAD_REQUEST']);
    const stranger = fixture.client.createWebhook({ channel_id: CHANNEL, name: '' }, as('43'));
    expect(await reasonOf(stranger)).toBe('FORBIDDEN');
    expect(await refusalOf(create({ channel_id: '0x1' }))).toEqual([
      'INVALID_FORM_BODY',
      'channel_id INVALID_SNOWFLAKE_FORMAT',
    ]);
  });

  it.each([null, '', '   ', 'x'.repeat(81), '🚪'.repeat(81)])('with the name "%s"', async (name) => {
    expect(await refusalOf(create({ name }))).toEqual(['BAD_REQUEST', 'name WEBHOOK_NAME_LENGTH_INVALID']);
  });

  it('with both an invalid name and an invalid image, with both violations', async () => {
    expect(await refusalOf(create({ name: '', avatar: 'nonsense' }))).toEqual([
      'BAD_REQUEST',
      'name WEBHOOK_NAME_LENGTH_INVALID',
      'avatar INVALID_FORMAT',
    ]);
    expect(await refusalOf(create({ avatar: '' }))).toEqual(['BAD_REQUEST', 'avatar INVALID_FORMAT']);
  });

  it.each([
    ['auth', () => vi.spyOn(fixture.accounts, 'get')],
    ['media', () => vi.spyOn(fixture.media.published, 'add')],
  ])('if %s fails, and its picture is dropped', async (_service, asked) => {
    const spy = asked().mockImplementationOnce(() => {
      throw new Error('it fails');
    });
    const avatar = onePixel('yellow').toString('base64');
    expect(await reasonOf(create({ avatar }))).toBe('INTERNAL_SERVER_ERROR');
    expect(spy).toHaveBeenCalledOnce();
    spy.mockRestore();
    await expect.poll(() => fixture.media.uploads.size).toBe(0);
    expect(fixture.media.published).not.toContain(pictureHash(onePixel('yellow')));
  });

  it('with an invalid name, and its picture is dropped', async () => {
    const avatar = onePixel('green').toString('base64');
    expect(await refusalOf(create({ name: '', avatar }))).toEqual([
      'BAD_REQUEST',
      'name WEBHOOK_NAME_LENGTH_INVALID',
    ]);
    await expect.poll(() => fixture.media.uploads.size).toBe(0);
    expect(fixture.media.published).not.toContain(pictureHash(onePixel('green')));
  });
});

it('a name may have 80 code points after trimming', async () => {
  fixture.channels.set('65', GUILD);
  const { name } = await addWebhook(fixture, { channel_id: '65', name: ` ${'🚪'.repeat(80)} ` });
  expect(name).toBe('🚪'.repeat(80));
});
