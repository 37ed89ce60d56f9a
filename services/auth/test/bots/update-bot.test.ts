import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { Fault, unavailable } from '@gatehouse/kit/fault';
import type { UpdateBotRequest } from '@gatehouse/proto/auth';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import { deleteAccount, lockForDeletion } from '../../src/store/accounts/deleted-accounts.ts';
import { type AuthUnderTest, IN_TIME, registered, startAuth } from '../auth.ts';
import { to } from '../profile.ts';

let service: AuthUnderTest;
let owner_id: string;
beforeAll(async () => {
  service = await startAuth('auth_update_bot');
  owner_id = (await registered(service.auth)).user_id;
});
afterEach(() => {
  service.media.answers = {};
});
afterAll(() => service.close());

const [RED, BLUE] = [onePixel('red'), onePixel('blue')];
const picture = (bytes: Buffer) => to(bytes.toString('base64'));

let lastId = 5000;
async function newBot() {
  lastId++;
  const { bot } = await service.auth.createBot(
    { application_id: String(lastId), name: 'Helper', owner_id },
    IN_TIME,
  );
  if (bot === null) throw new Error('no bot was created');
  return bot;
}

async function update(application_id: string, changes: Partial<UpdateBotRequest>) {
  const request = { application_id, owner_id, avatar: null, ...changes };
  return (await service.auth.updateBot(request, IN_TIME)).bot;
}

describe('a bot', () => {
  test('gets another user name, trimmed, and keeps the rest', async () => {
    const bot = await newBot();
    const changed = { ...bot, username: 'Another.Name' };
    expect(await update(bot.id, { username: '  Another.Name ' })).toEqual(changed);
    expect((await service.auth.getUsers({ ids: [bot.id] }, IN_TIME)).users).toEqual([changed]);
    expect(await update(bot.id, { username: 'ANOTHER.NAME' })).toMatchObject({ username: 'ANOTHER.NAME' });
    expect(await update(bot.id, {})).toEqual({ ...bot, username: 'ANOTHER.NAME' });
  });

  test('gets an avatar, another one and none, which media has before the response', async () => {
    const bot = await newBot();
    expect(await update(bot.id, { avatar: picture(RED) })).toEqual({ ...bot, avatar: pictureHash(RED) });
    expect(service.media.avatarOf(bot.id)).toBe(pictureHash(RED));
    expect(service.media.origins.at(-1)).toEqual([owner_id, undefined]);
    expect(await update(bot.id, { avatar: picture(BLUE) })).toMatchObject({ avatar: pictureHash(BLUE) });
    expect(service.media.avatarOf(bot.id)).toBe(pictureHash(BLUE));
    expect(await update(bot.id, { avatar: to(null) })).toEqual(bot);
    expect(service.media.avatarOf(bot.id)).toBeNull();
    expect(service.media.uploads.size).toBe(0);
  });

  test.each(['', ' ', 'a'.repeat(33), 'a b', 'é', 'a\0'])('does not get the name %j', async (username) => {
    const bot = await newBot();
    const violations = await violationsOf(update(bot.id, { username, avatar: to('text') }));
    expect(violations.at(0)).toMatch(/^username USERNAME_/);
    expect(violations.at(-1)).toBe('avatar INVALID_FORMAT');
    expect((await service.auth.getUsers({ ids: [bot.id] }, IN_TIME)).users).toEqual([bot]);
  });

  test('cannot take the name of another account, not even in 16 concurrent calls', async () => {
    await registered(service.auth, { username: 'Taken_Name' });
    const bot = await newBot();
    const taken = update(bot.id, { username: 'taken_name', avatar: picture(RED) });
    expect(await violationsOf(taken)).toEqual(['username TAG_ALREADY_TAKEN']);
    expect(service.media.avatarOf(bot.id) ?? null).toBeNull();

    const bots = await Promise.all(Array.from({ length: 16 }, newBot));
    const results = await Promise.allSettled(bots.map(({ id }) => update(id, { username: 'wanted' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect((result.reason as Fault).reason).toBe('INVALID_FORM_BODY');
    }
  });

  test('loses its avatar at media when it is deleted', async () => {
    const bot = await newBot();
    await update(bot.id, { avatar: picture(RED) });
    await service.auth.deleteBot({ application_id: bot.id, owner_id }, IN_TIME);
    expect(service.media.avatarOf(bot.id)).toBeNull();
  });

  test('loses its avatar at media when its owner is deleted', async () => {
    const leaving = await registered(service.auth);
    const id = '4999';
    await service.auth.createBot({ application_id: id, name: 'Helper', owner_id: leaving.user_id }, IN_TIME);
    await update(id, { owner_id: leaving.user_id, avatar: picture(RED) });
    expect(service.media.avatarOf(id)).toBe(pictureHash(RED));
    await inTransaction(service.db, async (tx) => {
      await lockForDeletion(tx, leaving.user_id);
      await deleteAccount(tx, leaving.user_id);
      await tx.query('UPDATE picture_changes SET next_attempt_at = now()');
    });
    await expect.poll(() => service.media.avatarOf(id)).toBeNull();
  });

  test('does not change while media is unavailable', async () => {
    const bot = await newBot();
    service.media.answers = { storePicture: () => Promise.reject(unavailable(new Error('away'))) };
    const attempt = update(bot.id, { username: 'never', avatar: picture(RED) });
    expect(await faultOf(attempt)).toBeInstanceOf(Fault);
    expect((await service.auth.getUsers({ ids: [bot.id] }, IN_TIME)).users).toEqual([bot]);
  });
});

test('is unknown to anyone but its owner', async () => {
  const bot = await newBot();
  const other = (await registered(service.auth)).user_id;
  for (const [id, owner] of [
    [bot.id, other],
    [other, other],
    ['404', owner_id],
    ['abc', owner_id],
  ] as const) {
    const attempt = update(id, { owner_id: owner, username: 'mine' });
    expect(await faultOf(attempt)).toMatchObject({ reason: 'UNKNOWN_APPLICATION' });
  }
});
