import { refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import {
  anonymous,
  as,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
let webhook_id: string;
beforeAll(async () => {
  fixture = await startWebhookDelivery('webhook_form');
  fixture.channels.set('62', GUILD);
  const { webhook } = await fixture.client.createWebhook({ channel_id: '62', name: 'x' }, as(MANAGER));
  webhook_id = webhook?.id ?? '';
});
afterAll(() => fixture.close());

interface Given {
  readonly name?: string;
  readonly avatar?: string;
}

/** The outcomes of both routes for a name and picture. Created webhooks are deleted. */
const ROUTES: Record<string, (given: Given) => Promise<Webhook>> = {
  create: async ({ name = 'x', avatar }) => {
    const { webhook } = await fixture.client.createWebhook({ channel_id: '62', name, avatar }, as(MANAGER));
    if (webhook === null) throw new Error('no webhook came back');
    await fixture.client.deleteWebhook({ webhook_id: webhook.id }, as(MANAGER));
    return webhook;
  },
  update: async ({ name, avatar }) => {
    const value = avatar === undefined ? null : { value: avatar };
    const { webhook } = await fixture.client.updateWebhook({ webhook_id, name, avatar: value }, as(MANAGER));
    if (webhook === null) throw new Error('no webhook came back');
    return webhook;
  },
};

const FAMILY = '👩‍👩‍👧‍👦'; // 7 code points

describe.each(Object.entries(ROUTES))('%s', (_route, send) => {
  it.each([
    ['1 character', 'x', 'x'],
    ['80 code points of two units each', '🚪'.repeat(80), '🚪'.repeat(80)],
    ['80 code points that look like few characters', `${FAMILY.repeat(11)}abc`, `${FAMILY.repeat(11)}abc`],
    ['white space around 80', ` \n\t\u00a0\u2003${'é'.repeat(80)}\u3000`, 'é'.repeat(80)],
    ['white space within', 'a \n b', 'a \n b'],
    ['a character that reorders text', '\u202eabc', '\u202eabc'],
    ['the name of an inherited member', '__proto__', '__proto__'],
    ['SQL and HTML', `'; DROP TABLE webhooks; --<b>`, `'; DROP TABLE webhooks; --<b>`],
    ['a lone surrogate, which gRPC replaces', 'a\ud83d', 'a\ufffd'],
  ])('accepts %s as a name', async (_what, name, stored) => {
    expect((await send({ name })).name).toBe(stored);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t\u00a0\u2003\u3000\ufeff'],
    ['81 characters', 'x'.repeat(81)],
    ['81 code points of two units each', '🚪'.repeat(81)],
    ['a million characters', 'x'.repeat(1_000_000)],
  ])('refuses %s as a name', async (_what, name) => {
    expect(await refusalOf(send({ name }))).toEqual(['BAD_REQUEST', 'name WEBHOOK_NAME_LENGTH_INVALID']);
  });

  it('refuses NUL in a name', async () => {
    expect(await refusalOf(send({ name: 'a\0b' }))).toEqual(['BAD_REQUEST', 'name INVALID_FORMAT']);
    expect(await refusalOf(send({ name: '\0'.repeat(81) }))).toEqual([
      'BAD_REQUEST',
      'name INVALID_FORMAT',
      'name WEBHOOK_NAME_LENGTH_INVALID',
    ]);
  });

  it('accepts a picture of 10 MiB, in one message each way', async () => {
    const png = Buffer.concat([onePixel('large'), Buffer.alloc(10 * 1024 * 1024, 'x')]).subarray(
      0,
      10 * 1024 * 1024,
    );
    const { avatar } = await send({ avatar: `data:image/png;base64,${png.toString('base64')}` });
    expect(avatar).toBe(pictureHash(png));
    expect(fixture.media.published).toContain(avatar);
  });

  it('refuses pictures that media refuses', async () => {
    for (const avatar of ['', 'nonsense', 'data:text/plain,x', `${'A'.repeat(1_000_000)}`]) {
      expect(await refusalOf(send({ avatar }))).toEqual(['BAD_REQUEST', 'avatar INVALID_FORMAT']);
    }
  });
});

describe('a malformed ID is refused', () => {
  const BAD = [
    '',
    '0x1',
    '+1',
    '-1',
    '01',
    ' 1',
    '1 ',
    '1.0',
    '1e3',
    '٣',
    '9223372036854775808',
    '1'.repeat(100),
    "1' OR 1=1",
  ];

  it.each<[string, string, (id: string) => Promise<unknown>]>([
    ['GetWebhook', 'webhook_id', (id) => fixture.client.getWebhook({ webhook_id: id }, as(MANAGER))],
    ['DeleteWebhook', 'webhook_id', (id) => fixture.client.deleteWebhook({ webhook_id: id }, as(MANAGER))],
    [
      'UpdateWebhook',
      'webhook_id',
      (id) => fixture.client.updateWebhook({ webhook_id: id, avatar: null }, as(MANAGER)),
    ],
    [
      'UpdateWebhook',
      'channel_id',
      (id) => fixture.client.updateWebhook({ webhook_id, channel_id: id, avatar: null }, as(MANAGER)),
    ],
    [
      'CreateWebhook',
      'channel_id',
      (id) => fixture.client.createWebhook({ channel_id: id, name: 'x' }, as(MANAGER)),
    ],
    [
      'ListChannelWebhooks',
      'channel_id',
      (id) => fixture.client.listChannelWebhooks({ channel_id: id }, as(MANAGER)),
    ],
    [
      'ListGuildWebhooks',
      'guild_id',
      (id) => fixture.client.listGuildWebhooks({ guild_id: id }, as(MANAGER)),
    ],
  ])('by %s for %s', async (_rpc, path, call) => {
    for (const id of BAD) {
      expect(await refusalOf(call(id))).toEqual(['INVALID_FORM_BODY', `${path} INVALID_SNOWFLAKE_FORMAT`]);
    }
    expect(await refusalOf(call('9223372036854775807'))).toEqual(['NOT_FOUND']);
  });

  it('after the caller is checked', async () => {
    expect(await refusalOf(fixture.client.getWebhook({ webhook_id: 'x' }, anonymous))).toEqual([
      'UNAUTHORIZED',
    ]);
  });
});
