import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { unavailable } from '@gatehouse/kit/fault';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import { type AuthUnderTest, IN_TIME, newcomer, registered, startAuth } from '../auth.ts';
import { current, to, update } from '../profile.ts';

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_pictures');
});
afterEach(() => {
  service.media.answers = {};
});
afterAll(() => service.close());

const base64 = (bytes: Buffer) => to(bytes.toString('base64'));
const [RED, BLUE, GREEN] = [onePixel('red'), onePixel('blue'), onePixel('green')];

async function unsentPictureChanges(): Promise<number> {
  const { rows } = await service.db.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM picture_changes',
  );
  return rows[0]?.n ?? 0;
}

describe('an avatar and a banner', () => {
  test('are named by their hash, and are in their slots at media before the response', async () => {
    const { caller, user_id } = await registered(service.auth);
    const first = await update(service.auth, caller, { avatar: base64(RED), banner: base64(RED) });
    expect(first).toMatchObject({ avatar: pictureHash(RED), banner: pictureHash(RED) });
    expect(service.media.avatarOf(user_id)).toBe(first.avatar);
    expect(service.media.origins.slice(-2)).toEqual([
      [user_id, undefined],
      [user_id, undefined],
    ]);
    expect(service.media.bannerOf(user_id)).toBe(first.banner);
    expect((await service.auth.getUser({ user_id }, IN_TIME)).user?.avatar).toBe(first.avatar);

    const second = await update(service.auth, caller, {
      avatar: to(`data:text/html;base64,${BLUE.toString('base64')}`),
    });
    expect(second).toMatchObject({ avatar: pictureHash(BLUE), banner: pictureHash(RED) });
    expect(service.media.avatarOf(user_id)).toBe(second.avatar);
    expect(service.media.bannerOf(user_id)).toBe(first.banner);

    const third = await update(service.auth, caller, { avatar: to(null), banner: to(null) });
    expect(third).toMatchObject({ avatar: null, banner: null });
    expect([service.media.avatarOf(user_id), service.media.bannerOf(user_id)]).toEqual([null, null]);
    expect(await unsentPictureChanges()).toBe(0);
    expect(service.media.uploads.size).toBe(0);
  });

  test('that media refuses are violations with its text, and the previous ones stay', async () => {
    const { caller, user_id } = await registered(service.auth);
    const { avatar } = await update(service.auth, caller, { avatar: base64(RED) });
    const fault = await faultOf(update(service.auth, caller, { avatar: to('text'), banner: to('nonsense') }));
    const message = 'Must be an image that can be decoded.';
    expect(fault.violations).toEqual([
      { path: 'avatar', code: 'INVALID_FORMAT', message },
      { path: 'banner', code: 'INVALID_FORMAT', message },
    ]);
    expect(service.media.avatarOf(user_id)).toBe(avatar);
  });

  test('of several concurrent ones at two replicas one stays, and the account names it', async () => {
    const replicas = [service.auth, await service.replica()];
    for (let round = 0; round < 8; round++) {
      const { caller, user_id } = await registered(service.auth);
      const changes = Array.from({ length: 8 }, (_, index) =>
        update(replicas[index % 2] ?? service.auth, caller, {
          avatar: index === 3 ? to(null) : base64(onePixel(`${round} ${index}`)),
        }),
      );
      await Promise.all(changes);
      const user = await current(service.auth, caller);
      expect(service.media.avatarOf(user_id)).toBe(user?.avatar ?? null);
    }
    expect(await unsentPictureChanges()).toBe(0);
    expect(service.media.uploads.size).toBe(0);
  });
});

describe('uploads are dropped at media if they are not used', () => {
  test.each<[string, Parameters<typeof update>[2], string]>([
    ['because the other picture is invalid', { banner: to('nonsense') }, 'banner INVALID_FORMAT'],
    ['another member is wrong', { pronouns: to('p'.repeat(41)) }, 'pronouns STRING_LENGTH_INVALID'],
    ['a proof is wrong', { email: 'x@example.com', password: 'wrong' }, 'password INVALID_PASSWORD'],
  ])('where %s', async (_what, changes, expected) => {
    const { caller, user_id } = await registered(service.auth);
    const attempt = update(service.auth, caller, { avatar: base64(GREEN), ...changes });
    expect(await violationsOf(attempt)).toEqual([expected]);
    await expect.poll(() => service.media.uploads.size).toBe(0);
    expect(service.media.slotsOf(user_id)).toBe(0);
  });

  test('because the account already has the same picture; media gets no change', async () => {
    const { caller } = await registered(service.auth);
    await update(service.auth, caller, { avatar: base64(RED) });
    service.media.answers.keepPicture = () => {
      throw unavailable(new Error('media gets no change'));
    };
    const user = await update(service.auth, caller, { avatar: base64(RED) });
    expect(user.avatar).toBe(pictureHash(RED));
    await expect.poll(() => service.media.uploads.size).toBe(0);
  });
});

describe('while media is unavailable', () => {
  test('pictures are refused with 503, and all other members of a profile can change', async () => {
    const { caller, user_id } = await registered(service.auth);
    const { avatar } = await update(service.auth, caller, { avatar: base64(RED) });
    await service.media.stop();
    try {
      expect(await faultOf(update(service.auth, caller, { avatar: base64(BLUE) }))).toMatchObject({
        reason: 'SERVICE_UNAVAILABLE',
      });
      expect(await update(service.auth, caller, { bio: to('b') })).toMatchObject({ bio: 'b', avatar });
      const { caller: other } = await registered(service.auth, newcomer());
      expect(await current(service.auth, other)).toMatchObject({ avatar: null });
      // Needs no decoding; media gets the change later.
      expect(await update(service.auth, caller, { avatar: to(null) })).toMatchObject({ avatar: null });
      expect(service.media.avatarOf(user_id)).toBe(avatar);
    } finally {
      await service.media.restart();
    }
    await expect.poll(() => service.media.avatarOf(user_id)).toBeNull();
    await expect.poll(unsentPictureChanges).toBe(0);
  });

  test('a change to a picture that it has lost is not retried forever', async () => {
    const { caller, user_id } = await registered(service.auth);
    service.media.answers.storePicture = () => ({
      upload: { id: '1', hash: 'f'.repeat(32) },
      refusal: null,
    });
    await update(service.auth, caller, { avatar: base64(RED) });
    expect(service.media.avatarOf(user_id)).toBeNull();
    expect(await unsentPictureChanges()).toBe(0);
  });
});

test('any replica sends the changes later, and the newest wins', async () => {
  const before = await startAuth('auth_pictures_later');
  try {
    const { caller, user_id } = await registered(before.auth);
    before.media.answers.keepPicture = () => {
      throw unavailable(new Error('not now'));
    };
    for (const picture of [RED, BLUE, GREEN])
      expect(await update(before.auth, caller, { banner: base64(picture) })).toMatchObject({
        banner: pictureHash(picture),
      });
    expect(before.media.bannerOf(user_id)).toBeNull();
    await before.restart();
    before.media.answers = {};
    await expect.poll(() => before.media.bannerOf(user_id)).toBe(pictureHash(GREEN));
    await expect.poll(() => before.media.uploads.size).toBe(0);
  } finally {
    await before.close();
  }
});

test('after a restore of the database from a backup, changes have later versions than any that media has', async () => {
  const { caller, user_id } = await registered(service.auth);
  for (const picture of [RED, BLUE]) await update(service.auth, caller, { avatar: base64(picture) });
  await service.db.query("SELECT setval('picture_versions', 1)");
  await update(service.auth, caller, { avatar: base64(GREEN) });
  expect(service.media.avatarOf(user_id)).toBe(pictureHash(GREEN));

  const drawn = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const { rows } = await service.db.query<{ version: string }>(
        'SELECT next_picture_version() AS version FROM generate_series(1, 10)',
      );
      return rows.map(({ version }) => BigInt(version));
    }),
  );
  expect(new Set(drawn.flat()).size).toBe(640);
  for (const versions of drawn) expect(versions).toEqual([...versions].sort((a, b) => (a < b ? -1 : 1)));
});
