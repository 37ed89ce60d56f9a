import { randomBytes } from 'node:crypto';
import { lockWaiters } from '@gatehouse/dev-env/lock-waiters';
import { Status } from '@gatehouse/kit/fault';
import { PictureKind } from '@gatehouse/proto/auth';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthUnderTest, faultOf, IN_TIME, registered, startAuth, violationsOf, whoIs } from './auth.ts';
import { onePixel } from './pictures.ts';
import { current, to, update } from './profile.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_pictures');
});
afterAll(() => service.close());

const AVATAR = PictureKind.PICTURE_KIND_AVATAR;
const BANNER = PictureKind.PICTURE_KIND_BANNER;
const base64 = (bytes: Buffer) => to(bytes.toString('base64'));

async function pictureOf(kind: PictureKind, account_id: string, hash: string | null | undefined) {
  const picture = await service.auth.getPicture({ kind, account_id, hash: hash ?? '' }, IN_TIME);
  return { content_type: picture.content_type, bytes: Buffer.from(picture.bytes) };
}
const missing = { reason: 'NOT_FOUND' };

async function stored(account_id: string): Promise<number | null> {
  const { rowCount } = await service.db.query('SELECT FROM pictures WHERE account_id = $1', [account_id]);
  return rowCount;
}

describe('an avatar and a banner', () => {
  test('are named by their hash, shown to everybody, and gone when they are replaced or taken off', async () => {
    const { caller, user_id } = await registered(service.auth);
    const [red, blue] = await Promise.all([onePixel('red'), onePixel('blue')]);
    const first = await update(service.auth, caller, { avatar: base64(red), banner: base64(red) });
    expect(first.avatar).toMatch(/^[0-9a-f]{32}$/);
    expect(first.banner).toBe(first.avatar);
    expect(await pictureOf(AVATAR, user_id, first.avatar)).toEqual({ content_type: 'image/png', bytes: red });
    expect(await pictureOf(BANNER, user_id, first.banner)).toEqual({ content_type: 'image/png', bytes: red });
    expect((await service.auth.getUser({ user_id }, IN_TIME)).user?.avatar).toBe(first.avatar);

    const second = await update(service.auth, caller, {
      avatar: to(`data:text/html;base64,${blue.toString('base64')}`),
    });
    expect(second.avatar).not.toBe(first.avatar);
    expect(await pictureOf(AVATAR, user_id, second.avatar)).toEqual({
      content_type: 'image/png',
      bytes: blue,
    });
    expect(await faultOf(pictureOf(AVATAR, user_id, first.avatar))).toMatchObject(missing);
    expect(await pictureOf(BANNER, user_id, first.banner)).toMatchObject({ bytes: red });

    const third = await update(service.auth, caller, { avatar: to(null), banner: to(null) });
    expect(third).toMatchObject({ avatar: null, banner: null });
    expect(await stored(user_id)).toBe(0);
  });

  test('that move have a hash that says so', async () => {
    const { caller, user_id } = await registered(service.auth);
    const frames = Buffer.concat([0, 90, 180].map((grey) => Buffer.alloc(16 * 16 * 3, grey)));
    const film = await sharp(frames, { raw: { width: 16, height: 48, channels: 3, pageHeight: 16 } })
      .gif()
      .toBuffer();
    const { banner } = await update(service.auth, caller, { banner: base64(film) });
    expect(banner).toMatch(/^a_[0-9a-f]{32}$/);
    expect(await pictureOf(BANNER, user_id, banner)).toEqual({ content_type: 'image/gif', bytes: film });
  });

  test('of many megabytes come back as they went in', async () => {
    const { caller, user_id } = await registered(service.auth);
    const size = 1_500;
    const noise = await sharp(randomBytes(size * size * 3), {
      raw: { width: size, height: size, channels: 3 },
    })
      .png()
      .toBuffer();
    expect(noise.length).toBeGreaterThan(6 * 1024 * 1024);
    const { avatar } = await update(service.auth, caller, { avatar: base64(noise) });
    const read = await pictureOf(AVATAR, user_id, avatar);
    expect(read.bytes.equals(noise)).toBe(true);
  });

  test('of several that arrive at once one stays, and it is the one that the account names', async () => {
    const { caller, user_id } = await registered(service.auth);
    const replicas = [service.auth, await service.replica()];
    for (let round = 0; round < 4; round++) {
      const changes = [0, 1, 2, 3].map(async (index) => {
        const avatar = base64(await onePixel({ r: round * 10, g: index, b: 2 }));
        await update(replicas[index % 2] ?? service.auth, caller, { avatar });
      });
      await Promise.all(changes);
      expect(await stored(user_id)).toBe(1);
      const user = await current(service.auth, caller);
      expect(await pictureOf(AVATAR, user_id, user?.avatar)).toMatchObject({ content_type: 'image/png' });
    }
  });

  test.each<[string, () => Promise<string> | string]>([
    ['nothing', () => ''],
    ['no base64', () => 'not base64!'],
    ['text', () => Buffer.from('hello').toString('base64')],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['half a picture', async () => (await noisy()).subarray(0, 2000).toString('base64')],
    ['a picture of 8193 pixels', async () => (await wide(8193)).toString('base64')],
    ['more than 10 MiB', async () => padded(10 * 1024 * 1024 + 1)],
  ])('%s is refused, and the one before stays', async (_what, make) => {
    const { caller, user_id } = await registered(service.auth);
    const { avatar } = await update(service.auth, caller, { avatar: base64(await onePixel('red')) });
    const text = await make();
    expect(await violationsOf(update(service.auth, caller, { avatar: to(text), banner: to(text) }))).toEqual([
      'avatar INVALID_FORMAT',
      'banner INVALID_FORMAT',
    ]);
    expect(await pictureOf(AVATAR, user_id, avatar)).toMatchObject({ content_type: 'image/png' });
    expect(await stored(user_id)).toBe(1);
  });

  test('the largest are taken', async () => {
    const { caller } = await registered(service.auth);
    const { avatar, banner } = await update(service.auth, caller, {
      avatar: base64(await wide(8192)),
      banner: to(await padded(10 * 1024 * 1024)),
    });
    expect([avatar, banner]).toEqual([expect.any(String), expect.any(String)]);
  });
});

describe('a picture is found under', () => {
  let caller: Caller;
  let hash: string;
  beforeAll(async () => {
    caller = (await registered(service.auth)).caller;
    hash = (await update(service.auth, caller, { avatar: base64(await onePixel('green')) })).avatar ?? '';
  });

  test('its own kind, account and hash alone', async () => {
    const own = caller.account_id;
    expect(await pictureOf(AVATAR, own, hash)).toMatchObject({ content_type: 'image/png' });
    const other = await registered(service.auth);
    const elsewhere: [PictureKind, string, string][] = [
      [BANNER, own, hash],
      [PictureKind.PICTURE_KIND_UNSPECIFIED, own, hash],
      [AVATAR, other.user_id, hash],
      [AVATAR, '', hash],
      [AVATAR, '-1', hash],
      [AVATAR, own, `a_${hash}`],
      [AVATAR, own, hash.toUpperCase()],
      [AVATAR, own, `${hash.slice(1)}\0`],
      [AVATAR, own, ''],
    ];
    for (const [kind, account_id, name] of elsewhere)
      expect(await faultOf(pictureOf(kind, account_id, name))).toMatchObject(missing);
  });
});

test('two are read at once, some wait and the rest are refused, while callers are identified', async () => {
  const { user_id, token } = await registered(service.auth);
  const blocker = await service.db.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE pictures');
    const reads = Array.from({ length: 2 + 64 }, () => faultOf(pictureOf(AVATAR, user_id, '0'.repeat(32))));
    await lockWaiters(blocker, 2);
    const refused = await faultOf(pictureOf(AVATAR, user_id, '0'.repeat(32)));
    expect(refused).toMatchObject({ reason: 'SERVICE_UNAVAILABLE', status: Status.UNAVAILABLE });
    expect(await whoIs(service.auth, CallerKind.CALLER_KIND_SESSION, token)).toBe(user_id);
    await blocker.query('COMMIT');
    for (const fault of await Promise.all(reads)) expect(fault).toMatchObject(missing);
  } finally {
    blocker.release();
  }
});

const wide = (width: number) =>
  sharp({ create: { width, height: 1, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

const noisy = () =>
  sharp(randomBytes(64 * 64 * 3), { raw: { width: 64, height: 64, channels: 3 } })
    .png()
    .toBuffer();

/** A JPEG with bytes behind its end. */
async function padded(length: number): Promise<string> {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([image, Buffer.alloc(length - image.length)]).toString('base64');
}
