import { PictureSlot } from '@gatehouse/proto/media';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  fetchPicture,
  LONG_TIMEOUT,
  type MediaUnderTest,
  onePixel,
  setAvatar,
  startMedia,
  uploadPicture,
} from './start-media.ts';

let service: MediaUnderTest;
beforeAll(async () => {
  service = await startMedia('media_retention', { replicas: 2, background_every_ms: 20 });
});
afterAll(() => service.close());

const AVATAR = PictureSlot.PICTURE_SLOT_AVATAR;
const isStored = async (hash: string) =>
  (await service.db.query('SELECT FROM pictures WHERE hash = $1', [hash])).rowCount === 1;

/** Moves the times of a picture and its uploads into the past. */
async function later(hash: string, interval: string): Promise<void> {
  const { db } = service;
  await db.query('UPDATE uploads SET stored_at = stored_at - $2::interval WHERE hash = $1', [hash, interval]);
  await db.query(
    'UPDATE pictures SET unreferenced_since = unreferenced_since - $2::interval WHERE hash = $1',
    [hash, interval],
  );
}

test('an upload holds its picture for a day; afterwards both are deleted', async () => {
  const { hash } = await uploadPicture(service.media, await onePixel('red'));
  const sameDay = await uploadPicture(service.media, await onePixel('blue'));
  await later(sameDay.hash, '23 hours');
  await later(hash, '24 hours 1 minute');
  await expect
    .poll(async () => (await service.db.query('SELECT FROM uploads WHERE hash = $1', [hash])).rowCount)
    .toBe(0);
  await expect.poll(() => isStored(hash)).toBe(false);
  expect(await isStored(sameDay.hash)).toBe(true);
});

test('a replaced picture is deleted after ten minutes, also if it was stored and dropped meanwhile', async () => {
  const [pixel, twice] = [await onePixel('#010101'), await onePixel('#010102')];
  const hash = await setAvatar(service.media, '1', pixel, 1);
  const again = await setAvatar(service.media, '1', twice, 2);
  await setAvatar(service.media, '1', await onePixel('#020202'), 3);
  const dropped = await uploadPicture(service.media, twice);
  await service.media.dropUploads({ ids: [dropped.id] }, LONG_TIMEOUT);
  for (const gone of [hash, again]) {
    await later(gone, '9 minutes');
    expect(await isStored(gone)).toBe(true);
    await later(gone, '2 minutes');
    await expect.poll(() => isStored(gone)).toBe(false);
  }
});

test('a dropped picture that was never readable is deleted at once', async () => {
  const dropped = await uploadPicture(service.media, await onePixel('#030303'));
  await service.media.dropUploads({ ids: [dropped.id] }, LONG_TIMEOUT);
  await expect.poll(() => isStored(dropped.hash)).toBe(false);
});

test('a picture stays while a slot or an upload refers to it, or while it is published', async () => {
  const { media, db } = service;
  const pixel = await onePixel('#111111');
  const hash = await setAvatar(media, '21', pixel);
  await setAvatar(media, '22', pixel);
  const again = await uploadPicture(media, pixel);
  await media.keepPicture({ owner_id: '21', slot: AVATAR, upload: null, version: 2 }, LONG_TIMEOUT);
  const published = await uploadPicture(media, await onePixel('#222222'));
  await media.publishPicture({ upload: published }, LONG_TIMEOUT);
  await db.query("UPDATE pictures SET unreferenced_since = now() - interval '1 hour'");
  // The same statement deletes unreferenced pictures, so both have been checked.
  const marker = await uploadPicture(media, await onePixel('#333333'));
  await media.dropUploads({ ids: [marker.id] }, LONG_TIMEOUT);
  await later(marker.hash, '1 hour');
  await expect.poll(() => isStored(marker.hash)).toBe(false);
  expect(await fetchPicture(media, '22', hash)).toMatchObject({ bytes: pixel });
  expect(await isStored(published.hash)).toBe(true);

  await media.keepPicture({ owner_id: '22', slot: AVATAR, upload: null, version: 2 }, LONG_TIMEOUT);
  await media.dropUploads({ ids: [again.id] }, LONG_TIMEOUT);
  await later(hash, '1 hour');
  await expect.poll(() => isStored(hash)).toBe(false);
});

test('a picture that is stored again during its deletion stays, with many senders and two replicas', async () => {
  const pixel = await onePixel('#444444');
  let version = 1;
  for (let round = 0; round < 15; round++) {
    const owners = Array.from({ length: 4 }, (_, index) => String(100 + index));
    const hashes = await Promise.all(
      owners.map((owner, index) =>
        setAvatar(service.replicas[index % 2] ?? service.media, owner, pixel, version),
      ),
    );
    for (const [index, owner] of owners.entries())
      expect(await fetchPicture(service.media, owner, hashes[index] ?? '')).toMatchObject({ bytes: pixel });
    version++;
    await Promise.all(
      owners.map((owner_id) =>
        service.media.keepPicture({ owner_id, slot: AVATAR, upload: null, version }, LONG_TIMEOUT),
      ),
    );
    version++;
    await later(hashes[0] ?? '', '1 hour'); // it can be deleted at any moment from now on
  }
});

test('the row of an emptied slot is deleted after a day', async () => {
  const { media, db } = service;
  await media.keepPicture({ owner_id: '300', slot: AVATAR, upload: null, version: 1 }, LONG_TIMEOUT);
  const rows = async () => (await db.query('SELECT FROM kept_pictures WHERE owner_id = 300')).rowCount;
  expect(await rows()).toBe(1);
  await db.query(
    "UPDATE kept_pictures SET changed_at = now() - interval '1 day 1 minute' WHERE owner_id = 300",
  );
  await expect.poll(rows).toBe(0);
});

test('a published picture that two checks find unused is deleted, unless it was published again meanwhile', async () => {
  const { media, db } = service;
  const publish = async (color: string) => {
    const upload = await uploadPicture(media, await onePixel(color));
    await media.publishPicture({ upload }, LONG_TIMEOUT);
    return upload.hash;
  };
  const isReadable = async (hash: string) => (await fetchPicture(media, '9', hash)) !== undefined;
  const due = async (): Promise<{ hash: string; publications: number }[]> => {
    await db.query(
      "UPDATE pictures SET check_at = now() - interval '1 second', unnamed_since = unnamed_since - interval '1 minute'",
    );
    const lists = await Promise.all(
      service.replicas.map((replica) => replica.listPublishedPictures({}, LONG_TIMEOUT)),
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
  const first = await media.listPublishedPictures({}, LONG_TIMEOUT);
  expect(first.pictures, 'not due: its webhook may not be stored yet').toEqual([]);

  for (const round of [1, 2]) {
    const found = (await due()).filter(({ hash }) => hash !== named);
    if (round === 2) await publish('#550003');
    await media.settlePublishedPictures({ named: [named], unnamed: found }, LONG_TIMEOUT);
    for (const hash of [named, again]) expect(await isReadable(hash), `round ${round}`).toBe(true);
    expect(await isReadable(unnamed), `round ${round}`).toBe(round === 1);
  }
  await later(unnamed, '11 minutes');
  await expect.poll(() => isStored(unnamed), { timeout: 30_000 }).toBe(false);
  for (const hash of [named, again]) expect(await isStored(hash)).toBe(true);
});

test('a picture that no webhook uses stays while an account has it', async () => {
  const { media, db } = service;
  const pixel = await onePixel('#660001');
  const upload = await uploadPicture(media, pixel);
  await media.publishPicture({ upload }, LONG_TIMEOUT);
  await setAvatar(media, '61', pixel);
  for (let round = 0; round < 2; round++) {
    await db.query("UPDATE pictures SET unnamed_since = now() - interval '2 minutes' WHERE hash = $1", [
      upload.hash,
    ]);
    await media.settlePublishedPictures(
      { named: [], unnamed: [{ hash: upload.hash, publications: 1 }] },
      LONG_TIMEOUT,
    );
  }
  await later(upload.hash, '1 hour');
  const marker = await uploadPicture(media, await onePixel('#660002'));
  await media.dropUploads({ ids: [marker.id] }, LONG_TIMEOUT);
  await expect.poll(() => isStored(marker.hash), { timeout: 30_000 }).toBe(false);
  expect(await fetchPicture(media, '61', upload.hash)).toMatchObject({ bytes: pixel });
  expect(await fetchPicture(media, '62', upload.hash)).toBeUndefined();
});
