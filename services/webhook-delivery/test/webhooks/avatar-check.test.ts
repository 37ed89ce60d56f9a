import { silentLogger } from '@gatehouse/kit/log';
import type { PublishedPicture, SettlePublishedPicturesRequest } from '@gatehouse/proto/media';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePixel } from '../../../media/client/test/pictures.ts';
import { checkAvatars } from '../../src/webhooks/avatar-check.ts';
import { addWebhook, startWebhookDelivery, type WebhookDelivery } from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('avatar_check');
});
afterAll(() => fixture.close());

/** Runs one check of these pictures and returns its report to media. `shownBy` is chat's answer. */
async function check(
  pictures: PublishedPicture[],
  shownBy: (hashes: readonly string[]) => string[],
): Promise<SettlePublishedPicturesRequest | undefined> {
  let reported: SettlePublishedPicturesRequest | undefined;
  let asked = 0;
  const check = checkAvatars({
    db: fixture.sql,
    chat: {
      findNamedAvatars: async ({ hashes }: { hashes: string[] }) => ({ hashes: shownBy(hashes) }),
    } as never,
    media: {
      listPublishedPictures: async () => ({ pictures: asked++ === 0 ? pictures : [] }),
      settlePublishedPictures: async (settled: SettlePublishedPicturesRequest) => {
        reported = settled;
        return {};
      },
    } as never,
    log: silentLogger,
    every_ms: 5,
  });
  await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(1);
  await check.close();
  return reported;
}

test('a picture of a webhook or a message is reported as in use, any other as unused', async () => {
  const { avatar } = await addWebhook(fixture, { avatar: onePixel('worn').toString('base64') });
  const [worn, shown, neither] = [avatar ?? '', 'b'.repeat(32), 'c'.repeat(32)];
  const pictures = [worn, shown, neither].map((hash, index) => ({ hash, publications: index + 1 }));
  const reported = await check(pictures, (hashes) => {
    expect(hashes, 'those without a webhook').toEqual([shown, neither]);
    return [shown];
  });
  expect(reported).toEqual({ named: [worn, shown], unnamed: [{ hash: neither, publications: 3 }] });
});

test('no picture is reported while chat is unavailable', async () => {
  const pictures = [{ hash: 'd'.repeat(32), publications: 1 }];
  const reported = await check(pictures, () => {
    throw new Error('away');
  });
  expect(reported).toBeUndefined();
});
