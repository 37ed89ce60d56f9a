import { PictureSlot } from '@gatehouse/proto/media';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IN_TIME, kept, type MediaUnderTest, onePixel, pictureOf, startMedia, stored } from './media.ts';

let service: MediaUnderTest;
beforeAll(async () => {
  service = await startMedia('media_retention', { replicas: 2, background_every_ms: 20 });
});
afterAll(() => service.close());

const AVATAR = PictureSlot.PICTURE_SLOT_AVATAR;
const isStored = async (hash: string) =>
  (await service.db.query('SELECT FROM pictures WHERE hash = $1', [hash])).rowCount === 1;

/** Moves all times into the past. */
async function later(hash: string, interval: string): Promise<void> {
  const { db } = service;
  await db.query('UPDATE uploads SET stored_at = stored_at - $2::interval WHERE hash = $1', [hash, interval]);
  await db.query(
    'UPDATE pictures SET unreferenced_since = unreferenced_since - $2::interval WHERE hash = $1',
    [hash, interval],
  );
}

test('an upload holds its picture for a day; afterwards both are deleted', async () => {
  const { hash } = await stored(service.media, await onePixel('red'));
  const sameDay = await stored(service.media, await onePixel('blue'));
  await later(sameDay.hash, '23 hours 59 minutes');
  await later(hash, '24 hours 1 minute');
  await expect
    .poll(async () => (await service.db.query('SELECT FROM uploads WHERE hash = $1', [hash])).rowCount)
    .toBe(0);
  await expect.poll(() => isStored(hash)).toBe(false);
  expect(await isStored(sameDay.hash)).toBe(true);
});

test('a replaced picture stays for some minutes and is then deleted, also if it was stored and dropped meanwhile', async () => {
  const [pixel, twice] = [await onePixel('#010101'), await onePixel('#010102')];
  const hash = await kept(service.media, '1', pixel, 1);
  const again = await kept(service.media, '1', twice, 2);
  await kept(service.media, '1', await onePixel('#020202'), 3);
  const dropped = await stored(service.media, twice);
  await service.media.dropUploads({ ids: [dropped.id] }, IN_TIME);
  for (const gone of [hash, again]) {
    await later(gone, '9 minutes');
    expect(await isStored(gone)).toBe(true);
    await later(gone, '2 minutes');
    await expect.poll(() => isStored(gone)).toBe(false);
  }
});

test('a dropped picture that was never readable is deleted at once', async () => {
  const dropped = await stored(service.media, await onePixel('#030303'));
  await service.media.dropUploads({ ids: [dropped.id] }, IN_TIME);
  await expect.poll(() => isStored(dropped.hash)).toBe(false);
});

test('a picture stays while a slot or an upload has it, or it is public', async () => {
  const { media, db } = service;
  const pixel = await onePixel('#111111');
  const hash = await kept(media, '21', pixel);
  await kept(media, '22', pixel);
  const again = await stored(media, pixel);
  await media.keepPicture({ owner_id: '21', slot: AVATAR, upload: null, version: 2 }, IN_TIME);
  const published = await stored(media, await onePixel('#222222'));
  await media.publishPicture({ upload: published }, IN_TIME);
  await db.query("UPDATE pictures SET unreferenced_since = now() - interval '1 hour'");
  // The same statement deletes unreferenced pictures, so both have been checked.
  const marker = await stored(media, await onePixel('#333333'));
  await media.dropUploads({ ids: [marker.id] }, IN_TIME);
  await later(marker.hash, '1 hour');
  await expect.poll(() => isStored(marker.hash)).toBe(false);
  expect(await pictureOf(media, '22', hash)).toMatchObject({ bytes: pixel });
  expect(await isStored(published.hash)).toBe(true);

  await media.keepPicture({ owner_id: '22', slot: AVATAR, upload: null, version: 2 }, IN_TIME);
  await media.dropUploads({ ids: [again.id] }, IN_TIME);
  await later(hash, '1 hour');
  await expect.poll(() => isStored(hash)).toBe(false);
});

test('a picture that is stored again during its deletion is there, with many senders and two replicas', async () => {
  const pixel = await onePixel('#444444');
  let version = 1;
  for (let round = 0; round < 15; round++) {
    const owners = Array.from({ length: 4 }, (_, index) => String(100 + index));
    const hashes = await Promise.all(
      owners.map((owner, index) => kept(service.replicas[index % 2] ?? service.media, owner, pixel, version)),
    );
    for (const [index, owner] of owners.entries())
      expect(await pictureOf(service.media, owner, hashes[index] ?? '')).toMatchObject({ bytes: pixel });
    version++;
    await Promise.all(
      owners.map((owner_id) =>
        service.media.keepPicture({ owner_id, slot: AVATAR, upload: null, version }, IN_TIME),
      ),
    );
    version++;
    await later(hashes[0] ?? '', '1 hour'); // it can be deleted at any moment from now on
  }
});

test('the row of an emptied slot is deleted soon', async () => {
  const { media, db } = service;
  await media.keepPicture({ owner_id: '300', slot: AVATAR, upload: null, version: 1 }, IN_TIME);
  const rows = async () => (await db.query('SELECT FROM kept_pictures WHERE owner_id = 300')).rowCount;
  expect(await rows()).toBe(1);
  await db.query(
    "UPDATE kept_pictures SET changed_at = now() - interval '1 day 1 minute' WHERE owner_id = 300",
  );
  await expect.poll(rows).toBe(0);
});

test('a public picture that was unused twice is deleted, unless it was published again meanwhile', async () => {
  const { media, db } = service;
  const publish = async (colour: string) => {
    const upload = await stored(media, await onePixel(colour));
    await media.publishPicture({ upload }, IN_TIME);
    return upload.hash;
  };
  const isReadable = async (hash: string) => (await pictureOf(media, '9', hash)) !== undefined;
  const due = async (): Promise<{ hash: string; publications: number }[]> => {
    await db.query(
      "UPDATE pictures SET check_at = now() - interval '1 second', unnamed_since = unnamed_since - interval '1 minute'",
    );
    const lists = await Promise.all(
      service.replicas.map((replica) => replica.listPublishedPictures({}, IN_TIME)),
    );
    const pictures = lists.flatMap(({ pictures }) => pictures);
    expect(new Set(pictures.map(({ hash }) => hash)).size, 'each is claimed once').toBe(pictures.length);
    return pictures;
  };
  const [named, unnamed, again] = [
    await publish('#550001'),
    await publish('#550002'),
    await publish('#550003'),
  ];
  const first = await media.listPublishedPictures({}, IN_TIME);
  expect(first.pictures, 'its webhook may not be stored yet').toEqual([]);

  for (const round of [1, 2]) {
    const found = (await due()).filter(({ hash }) => hash !== named);
    if (round === 2) await publish('#550003');
    await media.settlePublishedPictures({ named: [named], unnamed: found }, IN_TIME);
    for (const hash of [named, again]) expect(await isReadable(hash), `round ${round}`).toBe(true);
    expect(await isReadable(unnamed), `round ${round}`).toBe(round === 1);
  }
  await later(unnamed, '11 minutes');
  await expect.poll(() => isStored(unnamed), { timeout: 30_000 }).toBe(false);
  for (const hash of [named, again]) expect(await isStored(hash)).toBe(true);
});

test('a picture that a webhook no longer has stays while an account has it', async () => {
  const { media, db } = service;
  const pixel = await onePixel('#660001');
  const upload = await stored(media, pixel);
  await media.publishPicture({ upload }, IN_TIME);
  await kept(media, '61', pixel);
  for (let round = 0; round < 2; round++) {
    await db.query("UPDATE pictures SET unnamed_since = now() - interval '2 minutes' WHERE hash = $1", [
      upload.hash,
    ]);
    await media.settlePublishedPictures(
      { named: [], unnamed: [{ hash: upload.hash, publications: 1 }] },
      IN_TIME,
    );
  }
  await later(upload.hash, '1 hour');
  const marker = await stored(media, await onePixel('#660002'));
  await media.dropUploads({ ids: [marker.id] }, IN_TIME);
  await expect.poll(() => isStored(marker.hash), { timeout: 30_000 }).toBe(false);
  expect(await pictureOf(media, '61', upload.hash)).toMatchObject({ bytes: pixel });
  expect(await pictureOf(media, '62', upload.hash)).toBeUndefined();
});
