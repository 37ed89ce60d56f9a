import { randomBytes } from 'node:crypto';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { PictureSlot } from '@gatehouse/proto/media';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictureHash } from '../src/pictures/hash.ts';
import {
  fetchPicture,
  LONG_TIMEOUT,
  type Media,
  type MediaUnderTest,
  onePixel,
  setAvatar,
  startMedia,
  uploadPicture,
} from './start-media.ts';

const AVATAR = PictureSlot.PICTURE_SLOT_AVATAR;
const BANNER = PictureSlot.PICTURE_SLOT_BANNER;

let service: MediaUnderTest;
let media: Media;
let other: Media;
beforeAll(async () => {
  service = await startMedia('media_pictures', { replicas: 2 });
  media = service.media;
  other = service.replicas[1] ?? media;
});
afterAll(() => service.close());

/** The references to a picture. */
async function referencesTo(hash: string): Promise<{ uploads: number; kept: number; marked: boolean }> {
  const { rows } = await service.db.query<{ uploads: number; kept: number; marked: boolean }>(
    `SELECT (SELECT count(*)::integer FROM uploads WHERE hash = $1) AS uploads,
            (SELECT count(*)::integer FROM kept_pictures WHERE hash = $1) AS kept,
            (SELECT unreferenced_since IS NOT NULL FROM pictures WHERE hash = $1) AS marked`,
    [hash],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

let owners = 1000;
const newOwner = () => String(++owners);

describe('a picture', () => {
  test('can be read once a slot has it, and only under its owner, slot and hash', async () => {
    const [owner, red] = [newOwner(), await onePixel('red')];
    const upload = await uploadPicture(media, red);
    expect(upload.hash).toMatch(/^[0-9a-f]{32}$/);
    expect(await fetchPicture(media, owner, upload.hash)).toBeUndefined();
    await media.keepPicture({ owner_id: owner, slot: AVATAR, upload, version: 1 }, LONG_TIMEOUT);

    const found = { content_type: 'image/png', bytes: red };
    expect(await fetchPicture(other, owner, upload.hash)).toEqual(found);
    const elsewhere: [string, string, PictureSlot][] = [
      [owner, upload.hash, BANNER],
      [owner, upload.hash, PictureSlot.PICTURE_SLOT_ICON],
      [owner, upload.hash, PictureSlot.PICTURE_SLOT_UNSPECIFIED],
      [newOwner(), upload.hash, AVATAR],
      ['', upload.hash, AVATAR],
      ['-1', upload.hash, AVATAR],
      [owner, `a_${upload.hash}`, AVATAR],
      [owner, upload.hash.toUpperCase(), AVATAR],
      [owner, `${upload.hash.slice(1)}\0`, AVATAR],
      [owner, '', AVATAR],
    ];
    for (const [id, hash, slot] of elsewhere)
      expect(await fetchPicture(media, id, hash, slot)).toBeUndefined();
  });

  test('for one guild can be read under that guild only, and changes independently of the owner’s own picture', async () => {
    const [owner, red, blue] = [newOwner(), await onePixel('red'), await onePixel('blue')];
    const own = await setAvatar(media, owner, red);
    const upload = await uploadPicture(media, blue);
    await media.keepPicture(
      { owner_id: owner, guild_id: '7', slot: AVATAR, upload, version: 1 },
      LONG_TIMEOUT,
    );
    const look = (hash: string, guild_id: string | null) =>
      media.getPicture({ slot: AVATAR, owner_id: owner, guild_id, hash }, LONG_TIMEOUT);
    expect(Buffer.from((await look(upload.hash, '7')).bytes)).toEqual(blue);
    for (const [hash, guild_id] of [
      [upload.hash, null],
      [upload.hash, '8'],
      [upload.hash, '0'],
      [upload.hash, 'x'],
      [own, '7'],
      [own, '0'],
    ] as const) {
      expect(await reasonOf(look(hash, guild_id))).toBe('NOT_FOUND');
    }
    await media.keepPicture(
      { owner_id: owner, guild_id: '7', slot: AVATAR, upload: null, version: 2 },
      LONG_TIMEOUT,
    );
    expect(await reasonOf(look(upload.hash, '7'))).toBe('NOT_FOUND');
    expect(Buffer.from((await look(own, null)).bytes)).toEqual(red);
  });

  test('of a webhook cannot be read as the avatar of a member', async () => {
    const upload = await uploadPicture(media, await onePixel('green'));
    await media.publishPicture({ upload }, LONG_TIMEOUT);
    const owner_id = newOwner();
    const look = (guild_id: string | null) =>
      media.getPicture({ slot: AVATAR, owner_id, guild_id, hash: upload.hash }, LONG_TIMEOUT);
    expect((await look(null)).content_type).toBe('image/png');
    expect(await reasonOf(look('7'))).toBe('NOT_FOUND');
  });

  test('of many parts is read back unchanged', async () => {
    const [owner, size] = [newOwner(), 500];
    const noise = await sharp(randomBytes(size * size * 3), {
      raw: { width: size, height: size, channels: 3 },
    })
      .png()
      .toBuffer();
    const hash = await setAvatar(media, owner, noise);
    const first = await media.getPicture({ slot: AVATAR, owner_id: owner, hash }, LONG_TIMEOUT);
    expect(first.size).toBeGreaterThan(600 * 1024);
    expect(first.bytes.length).toBeLessThanOrEqual(64 * 1024);
    const whole = (await fetchPicture(media, owner, hash))?.bytes;
    expect(await sharp(whole).raw().toBuffer()).toEqual(await sharp(noise).raw().toBuffer());
    const past = await media.getPicturePart({ hash, offset: first.size }, LONG_TIMEOUT);
    expect(past.bytes).toHaveLength(0);
  });

  test('has a hash with a prefix if it is animated', async () => {
    const owner = newOwner();
    const frames = Buffer.concat([0, 90, 180].map((gray) => Buffer.alloc(16 * 16 * 3, gray)));
    const animation = await sharp(frames, { raw: { width: 16, height: 48, channels: 3, pageHeight: 16 } })
      .gif()
      .toBuffer();
    const hash = await setAvatar(media, owner, animation);
    expect(hash).toMatch(/^a_[0-9a-f]{32}$/);
    expect(await fetchPicture(media, owner, hash)).toEqual({ content_type: 'image/gif', bytes: animation });
  });

  test('is not found once it is replaced, but clients can read its further parts', async () => {
    const owner = newOwner();
    const [red, blue] = [await onePixel('#ff0001'), await onePixel('#0000fe')];
    const first = await setAvatar(media, owner, red, 1);
    const second = await setAvatar(media, owner, blue, 2);
    expect(await fetchPicture(media, owner, first)).toBeUndefined();
    expect(await fetchPicture(media, owner, second)).toMatchObject({ bytes: blue });
    const part = await media.getPicturePart({ hash: first, offset: 1 }, LONG_TIMEOUT);
    expect(Buffer.from(part.bytes)).toEqual(red.subarray(1));

    await media.keepPicture({ owner_id: owner, slot: AVATAR, upload: null, version: 3 }, LONG_TIMEOUT);
    expect(await fetchPicture(media, owner, second)).toBeUndefined();
  });

  test('is stored once, for any number of senders', async () => {
    const green = await onePixel('#00fe00');
    const ids = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const owner = newOwner();
        return [owner, await setAvatar(index % 2 ? media : other, owner, green)] as const;
      }),
    );
    expect(new Set(ids.map(([, hash]) => hash)).size).toBe(1);
    for (const [owner, hash] of ids)
      expect(await fetchPicture(media, owner, hash)).toMatchObject({ bytes: green });
    expect(await referencesTo(ids[0]?.[1] ?? '')).toEqual({ uploads: 0, kept: 16, marked: false });
  });

  test('counts against the daily limits of its sender and its guild, and is refused over a limit until the next day', async () => {
    const text = (await onePixel('#777777')).toString('base64');
    const almost = 'INSERT INTO stored_bytes VALUES ($1, (now() AT TIME ZONE $3)::date, $2)';
    const MiB = 1024 * 1024;
    for (const [id, bytes] of [
      ['7001', 16 * MiB - 150],
      ['7002', 64 * MiB - 150],
    ] as const)
      await service.db.query(almost, [id, bytes, 'UTC']);
    const refusals = async (sender: string, guild_id?: string) => {
      const ask = { text, sender, guild_id };
      const answers = await Promise.all([1, 2, 3].map(() => media.storePicture(ask, LONG_TIMEOUT)));
      return answers.map(({ refusal }) => refusal ?? null).filter((refusal) => refusal !== null);
    };
    const tooMuch = (whose: string, max: number) =>
      Array(2).fill(`Too many pictures today: at most ${max} MiB a day of ${whose}.`);
    expect(await refusals('7001')).toEqual(tooMuch('one sender', 16));
    expect(await refusals('7004', '7002')).toEqual(tooMuch('a guild', 64));
    expect(await refusals('7003')).toEqual([]);
    const { rows } = await service.db.query(
      "SELECT bytes FROM stored_bytes WHERE owner_id IN ('7001', '7003')",
    );
    expect(await refusals('7003', '7002')).toHaveLength(3);
    const after = await service.db.query("SELECT bytes FROM stored_bytes WHERE owner_id IN ('7001', '7003')");
    expect(after.rows).toEqual(rows); // a refused picture is not counted
    await service.db.query("UPDATE stored_bytes SET day = day - 1 WHERE owner_id IN ('7001', '7002')");
    expect(await refusals('7001', '7002')).toEqual([]);
  });

  test('is refused with a text for its sender if it is invalid', async () => {
    expect(await media.storePicture({ text: 'nonsense!', sender: '1' }, LONG_TIMEOUT)).toEqual({
      upload: null,
      refusal: 'Must be base64 or a data: URL.',
    });
  });
});

describe('a slot', () => {
  test('keeps the newest version, whatever the order and repetition of changes at two replicas', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = newOwner();
      const states = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => ({
          owner_id: owner,
          slot: AVATAR,
          upload:
            index === 6 ? null : await uploadPicture(media, await onePixel({ r: round, g: index, b: 9 })),
          version: index + 1,
        })),
      );
      const mixed = [...states, ...states].sort(() => Math.random() - 0.5);
      await Promise.all(mixed.map((state, n) => (n % 2 ? media : other).keepPicture(state, LONG_TIMEOUT)));
      for (const { upload, version } of states) {
        if (upload === null) continue;
        const found = await fetchPicture(media, owner, upload.hash);
        expect(found !== undefined, `version ${version}`).toBe(version === 8);
        expect(await referencesTo(upload.hash)).toEqual({
          uploads: 0,
          kept: version === 8 ? 1 : 0,
          marked: version !== 8,
        });
      }
    }
  });

  test('stays empty after a removal when an older picture arrives late', async () => {
    const owner = newOwner();
    const upload = await uploadPicture(media, await onePixel('#123456'));
    await media.keepPicture({ owner_id: owner, slot: AVATAR, upload: null, version: 2 }, LONG_TIMEOUT);
    await media.keepPicture({ owner_id: owner, slot: AVATAR, upload, version: 1 }, LONG_TIMEOUT);
    expect(await fetchPicture(media, owner, upload.hash)).toBeUndefined();
  });

  test('refuses a picture that is not stored, and invalid requests', async () => {
    const upload = { id: '0', hash: 'f'.repeat(32) };
    const ask = { owner_id: newOwner(), slot: AVATAR, upload, version: 1 };
    expect(await reasonOf(media.keepPicture(ask, LONG_TIMEOUT))).toBe('NOT_FOUND');
    expect(await reasonOf(media.publishPicture({ upload }, LONG_TIMEOUT))).toBe('NOT_FOUND');
    const { owner_id, slot } = ask;
    await expect(media.getPicture({ owner_id, slot, hash: upload.hash }, LONG_TIMEOUT)).rejects.toMatchObject(
      {
        message: 'There is nothing here.',
      },
    );
    expect(await reasonOf(media.keepPicture({ ...ask, version: 0 }, LONG_TIMEOUT))).toBe('BAD_REQUEST');
    expect(await reasonOf(media.keepPicture({ ...ask, owner_id: 'x' }, LONG_TIMEOUT))).toBe('BAD_REQUEST');
  });
});

describe('a published picture', () => {
  test('is an avatar under any ID but no banner, and stays while other references come and go', async () => {
    const pixel = await onePixel('#abcdef');
    const upload = await uploadPicture(media, pixel);
    for (let n = 0; n < 2; n++) await media.publishPicture({ upload }, LONG_TIMEOUT);
    expect(await fetchPicture(media, newOwner(), upload.hash)).toMatchObject({ bytes: pixel });
    expect(await fetchPicture(media, newOwner(), upload.hash, BANNER)).toBeUndefined();
    expect(await referencesTo(upload.hash)).toEqual({ uploads: 0, kept: 0, marked: false });
    await setAvatar(media, newOwner(), pixel);
    const again = await uploadPicture(media, pixel);
    await media.dropUploads({ ids: [again.id] }, LONG_TIMEOUT);
    expect(await referencesTo(upload.hash)).toEqual({ uploads: 0, kept: 1, marked: false });
  });
});

describe('uploads', () => {
  test('of the same pictures can be dropped concurrently, in any order', async () => {
    const { db } = service;
    const hashes: string[] = [];
    for (const color of ['#a00001', '#a00002', '#a00003', '#a00004'])
      hashes.push((await uploadPicture(media, await onePixel(color))).hash);
    for (let round = 0; round < 4; round++) {
      const drops = await Promise.all(
        Array.from({ length: 48 }, async () => {
          const { rows } = await db.query<{ id: string }>(
            'INSERT INTO uploads (hash) SELECT hash FROM unnest($1::text[]) AS hash ORDER BY random() RETURNING id',
            [hashes],
          );
          return rows.map(({ id }) => id);
        }),
      );
      await Promise.all(drops.map((ids, n) => (n % 2 ? media : other).dropUploads({ ids }, LONG_TIMEOUT)));
      expect((await db.query('SELECT FROM uploads WHERE id = ANY ($1)', [drops.flat()])).rowCount).toBe(0);
    }
  });

  test('are deleted if the sender cancels', async () => {
    const pixel = await onePixel('#a10001');
    const hash = pictureHash(pixel, false);
    const blocker = await service.db.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE uploads IN SHARE MODE');
      const ask = { text: pixel.toString('base64'), sender: '1' };
      const cancelling = new AbortController();
      const call = media.storePicture(ask, { ...LONG_TIMEOUT, signal: cancelling.signal });
      const answer = reasonOf(call);
      await untilWaitingForLock(blocker, 1); // it is decoded, and being stored
      cancelling.abort();
      expect(await answer).toBe('CANCELLED');
      // The stream keeps the order: this is answered after the cancellation has arrived.
      expect(
        await reasonOf(
          media.getPicture({ slot: PictureSlot.PICTURE_SLOT_AVATAR, owner_id: '1', hash }, LONG_TIMEOUT),
        ),
      ).toBe('NOT_FOUND');
      await blocker.query('COMMIT');
    } finally {
      blocker.release();
    }
    const dropped = "SELECT FROM pictures WHERE hash = $1 AND unreferenced_since = '-infinity'";
    await expect.poll(async () => (await service.db.query(dropped, [hash])).rowCount).toBe(1);
    expect(await referencesTo(hash)).toEqual({ uploads: 0, kept: 0, marked: true });
  });

  test('with an ID that is no number, and parts beyond any picture, are refused', async () => {
    const { hash } = await uploadPicture(media, await onePixel('#a20001'));
    for (const id of ['', 'x', '-1', '1'.repeat(19), '1; --']) {
      expect(await reasonOf(media.dropUploads({ ids: ['1', id] }, LONG_TIMEOUT))).toBe('BAD_REQUEST');
      const upload = { id, hash };
      expect(await reasonOf(media.publishPicture({ upload }, LONG_TIMEOUT))).toBe('BAD_REQUEST');
      const ask = { owner_id: newOwner(), slot: AVATAR, upload, version: 1 };
      expect(await reasonOf(media.keepPicture(ask, LONG_TIMEOUT))).toBe('BAD_REQUEST');
    }
    const largest = 2 ** 31 - 1;
    expect((await media.getPicturePart({ hash, offset: largest - 1 }, LONG_TIMEOUT)).bytes).toHaveLength(0);
    expect(await reasonOf(media.getPicturePart({ hash, offset: largest }, LONG_TIMEOUT))).toBe('BAD_REQUEST');
  });
});

test('many reads leave connections for writes', async () => {
  const [owner, pixel] = [newOwner(), await onePixel('#0f0f0f')];
  const hash = await setAvatar(media, owner, pixel);
  const blocker = await service.db.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE pictures IN ACCESS EXCLUSIVE MODE');
    const reads = Array.from({ length: 64 }, () => fetchPicture(media, owner, hash));
    await untilWaitingForLock(blocker, 4); // two of six connections are reserved for writes
    await media.dropUploads({ ids: ['1'] }, LONG_TIMEOUT);
    await blocker.query('COMMIT');
    for (const read of await Promise.all(reads)) expect(read).toMatchObject({ bytes: pixel });
  } finally {
    blocker.release();
  }
});

test('the pictures of an account are exported one after the other: its own, then those in guilds', async () => {
  const [owner, red, blue] = [newOwner(), await onePixel('red'), await onePixel('blue')];
  const keep = async (slot: PictureSlot, bytes: Buffer, guild_id?: string) => {
    const upload = await uploadPicture(media, bytes);
    const where = { owner_id: owner, slot, ...(guild_id !== undefined && { guild_id }) };
    await media.keepPicture({ ...where, upload, version: 1 }, LONG_TIMEOUT);
  };
  await keep(AVATAR, red, '51');
  await keep(BANNER, blue);
  await keep(AVATAR, red);
  const found: [string, Buffer][] = [];
  for (let after: string | undefined; ; ) {
    const request = { account_id: owner, ...(after !== undefined && { after }) };
    const { name, bytes } = await other.exportPicture(request, LONG_TIMEOUT);
    if (name == null) break;
    found.push([name, Buffer.from(bytes)]);
    after = name;
  }
  expect(found).toEqual([
    ['avatar-0', red],
    ['banner-0', blue],
    ['avatar-51', red],
  ]);
  expect(await reasonOf(media.exportPicture({ account_id: 'nobody' }, LONG_TIMEOUT))).toBe('BAD_REQUEST');
});
