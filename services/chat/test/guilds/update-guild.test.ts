import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import { addAccount, addGuild, addMember, addRole, newId } from '../support/guilds.ts';
import { entriesOf, laterEventsOf } from '../support/log.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_update_guild', 2);
});
afterEach(() => {
  fixture.media.answers = {};
});
afterAll(() => fixture.close());

type Changes = Omit<Parameters<ChatFixture['chat']['updateGuild']>[0], 'guild_id'>;
const update = async (guild_id: string, account: string, changes: Partial<Changes>, chat = fixture.chat) =>
  (await chat.updateGuild({ guild_id, icon: null, ...changes }, as(account))).guild;
const picture = (colour: string) => ({ value: onePixel(colour).toString('base64') });
const NONE = { value: null };

async function unsentChanges(): Promise<number> {
  const { rows } = await fixture.sql.query('SELECT count(*)::integer AS n FROM picture_changes');
  return rows[0].n;
}

describe('a guild', () => {
  test('can be renamed with MANAGE_GUILD; the event has the whole guild, and the audit log the change', async () => {
    const { guild_id, guild } = await addGuild(fixture);
    const manager = await addMember(fixture, guild_id);
    await addRole(fixture, guild_id, Permission.MANAGE_GUILD, { holder: manager });
    const renamed = await update(guild_id, manager, { name: '  Better ', reason: 'as%20voted' });
    expect(renamed).toMatchObject({
      id: guild_id,
      name: 'Better',
      owner_id: guild.owner_id,
      member_count: 2,
    });
    expect((await fixture.chat.getGuild({ guild_id }, as(manager))).guild).toEqual(renamed);
    const { roles: _, permissions: __, ...row } = renamed ?? { roles: [], permissions: null };
    expect(await laterEventsOf(fixture, guild_id)).toEqual([
      { type: 'GUILD_UPDATE', account_ids: null, channel_id: null, payload: { ...row } },
    ]);
    expect(await entriesOf(fixture, guild_id)).toEqual([
      {
        action_type: 1,
        user_id: manager,
        target_id: guild_id,
        reason: 'as voted',
        options: null,
        changes: [{ key: 'name', old_value: 'Guild', new_value: 'Better' }],
      },
    ]);
  });

  test('has no event when nothing changes', async () => {
    const { guild_id, owner, guild } = await addGuild(fixture);
    expect(await update(guild_id, owner, {})).toEqual(guild);
    expect(await update(guild_id, owner, { name: ' Guild ', icon: NONE, owner_id: owner })).toEqual(guild);
    expect(await laterEventsOf(fixture, guild_id)).toEqual([]);
    expect(await entriesOf(fixture, guild_id)).toEqual([]);
  });

  test.each([
    ['', 'name STRING_LENGTH_INVALID'],
    [' \n ', 'name STRING_LENGTH_INVALID'],
    ['😀'.repeat(101), 'name STRING_LENGTH_INVALID'],
    ['a\0b', 'name INVALID_FORMAT'],
    ['\u{e0041}', 'name INVALID_FORMAT'],
    ['a\u061cb', 'name INVALID_FORMAT'],
  ])('cannot have the name %j, which is checked before the guild is read', async (name, violation) => {
    expect(await violationsOf(update(newId(), addAccount(fixture), { name }))).toEqual([violation]);
  });

  test('requires MANAGE_GUILD: NOT_FOUND, then MISSING_ACCESS, then MISSING_PERMISSIONS', async () => {
    const { guild_id } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    const changes = { name: 'Mine', icon: picture('red') };
    expect(await reasonOf(update(newId(), member, changes))).toBe('NOT_FOUND');
    expect(await reasonOf(update(guild_id, addAccount(fixture), changes))).toBe('MISSING_ACCESS');
    expect(await reasonOf(update(guild_id, member, changes))).toBe('MISSING_PERMISSIONS');
    expect(fixture.media.uploads.size).toBe(0);
    expect(await reasonOf(update(guild_id, member, { name: 'x', reason: '%' }))).toBe('INVALID_FORM_BODY');
  });
});

describe('the owner', () => {
  test('transfers ownership to a member, and has only its roles’ permissions from then on', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    expect(await update(guild_id, owner, { owner_id: member })).toMatchObject({ owner_id: member });
    expect(await entriesOf(fixture, guild_id)).toMatchObject([
      { changes: [{ key: 'owner_id', old_value: owner, new_value: member }] },
    ]);
    expect((await laterEventsOf(fixture, guild_id)).map(({ payload }) => payload.owner_id)).toEqual([member]);
    expect(await reasonOf(update(guild_id, owner, { name: 'Still mine' }))).toBe('MISSING_PERMISSIONS');
    await update(guild_id, member, { name: 'New' });
    await fixture.chat.leaveGuild({ guild_id }, as(owner));
  });

  test('is required to transfer ownership, and only to a member', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const administrator = await addMember(fixture, guild_id);
    await addRole(fixture, guild_id, Permission.ADMINISTRATOR, { holder: administrator });
    expect(await reasonOf(update(guild_id, administrator, { owner_id: administrator }))).toBe(
      'MISSING_PERMISSIONS',
    );
    for (const nobody of [addAccount(fixture), newId(), 'x', '9223372036854775808'])
      expect(await reasonOf(update(guild_id, owner, { owner_id: nobody }))).toBe('UNKNOWN_MEMBER');
    expect(await laterEventsOf(fixture, guild_id)).toEqual([]);
  });

  test('cannot transfer ownership to a deleted account', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    fixture.accounts.delete(member);
    expect(await reasonOf(update(guild_id, owner, { owner_id: member }))).toBe('UNKNOWN_MEMBER');
    expect(await laterEventsOf(fixture, guild_id)).toEqual([]);
  });

  test('is a single account after sixteen concurrent transfers at two replicas', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const heirs = await Promise.all(Array.from({ length: 16 }, () => addMember(fixture, guild_id)));
    const outcomes = await Promise.all(
      heirs.map((heir, n) =>
        update(guild_id, owner, { owner_id: heir }, fixture.replicas[n % 2]).then(
          () => heir,
          () => undefined,
        ),
      ),
    );
    const [heir, ...others] = outcomes.filter((outcome) => outcome !== undefined);
    expect(others).toEqual([]);
    expect((await fixture.chat.getGuild({ guild_id }, as(owner))).guild?.owner_id).toBe(heir);
    expect(await laterEventsOf(fixture, guild_id)).toHaveLength(1);
  });
});

describe('an icon', () => {
  test('is named by the hash that media returned, and is kept for the guild before the answer', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const red = pictureHash(onePixel('red'));
    expect(await update(guild_id, owner, { icon: picture('red') })).toMatchObject({ icon: red });
    expect(fixture.media.iconOf(guild_id)).toBe(red);
    expect(await update(guild_id, owner, { icon: NONE })).toMatchObject({ icon: null });
    expect(fixture.media.iconOf(guild_id)).toBeNull();
    expect((await entriesOf(fixture, guild_id)).map(({ changes }) => changes)).toEqual([
      [{ key: 'icon_hash', new_value: red }],
      [{ key: 'icon_hash', old_value: red }],
    ]);
    expect(await unsentChanges()).toBe(0);
    expect(fixture.media.uploads.size).toBe(0);
  });

  test('that is invalid is a violation with media’s text, and nothing changes', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const call = update(guild_id, owner, { name: 'New', icon: { value: 'nonsense' } });
    expect(await violationsOf(call)).toEqual(['icon INVALID_FORMAT']);
    expect((await fixture.chat.getGuild({ guild_id }, as(owner))).guild?.name).toBe('Guild');
  });

  test('of a failed request is dropped', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    await update(guild_id, owner, { icon: picture('red') });
    const calls = [{ icon: picture('red') }, { icon: picture('blue'), owner_id: newId() }];
    await Promise.allSettled(calls.map((changes) => update(guild_id, owner, changes)));
    await expect.poll(() => fixture.media.uploads.size).toBe(0);
    expect(fixture.media.iconOf(guild_id)).toBe(pictureHash(onePixel('red')));
  });

  test('that media keeps is the one that the guild names, after sixteen concurrent changes at two replicas', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        update(guild_id, owner, { icon: n === 3 ? NONE : picture(`colour ${n}`) }, fixture.replicas[n % 2]),
      ),
    );
    const { guild } = await fixture.chat.getGuild({ guild_id }, as(owner));
    await expect.poll(unsentChanges).toBe(0);
    expect(fixture.media.iconOf(guild_id)).toBe(guild?.icon ?? null);
    expect(fixture.media.uploads.size).toBe(0);
  });

  test('can be removed during an outage of media, but not set; media is notified when it is back', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    await update(guild_id, owner, { icon: picture('red') });
    await fixture.media.stop();
    try {
      expect(await reasonOf(update(guild_id, owner, { icon: picture('blue') }))).toBe('SERVICE_UNAVAILABLE');
      expect(await update(guild_id, owner, { name: 'New' })).toMatchObject({ name: 'New' });
      expect(await update(guild_id, owner, { icon: NONE })).toMatchObject({ icon: null });
      expect(fixture.media.iconOf(guild_id)).not.toBeNull();
    } finally {
      await fixture.media.restart();
    }
    await expect.poll(() => fixture.media.iconOf(guild_id)).toBeNull();
    await expect.poll(unsentChanges).toBe(0);
  });
});
