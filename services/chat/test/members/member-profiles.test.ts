import { faultOf, reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { UpdateOwnMemberRequest } from '@gatehouse/proto/chat';
import { ProfileField } from '@gatehouse/proto/ratelimit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onePixel, pictureHash } from '../../../media/client/test/pictures.ts';
import { type AddedGuild, addAccount, addGuild, addMember } from '../support/guilds.ts';
import { entriesOf, eventsOf, typesWritten } from '../support/log.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
let home: AddedGuild;
let member: string;
beforeAll(async () => {
  fixture = await startChat('chat_member_profiles');
});
beforeEach(async () => {
  home = await addGuild(fixture);
  member = await addMember(fixture, home.guild_id);
  fixture.profiles.requests.length = 0;
  fixture.profiles.denial = undefined;
});
afterAll(() => fixture.close());

const NOTHING = { nick: null, avatar: null, banner: null, bio: null, pronouns: null, accent_color: null };

async function update(request: Partial<UpdateOwnMemberRequest>, by = member) {
  const whole = { guild_id: home.guild_id, ...NOTHING, ...request };
  return (await fixture.chat.updateOwnMember(whole, as(by))).member;
}

describe('a member’s own profile in a guild', () => {
  test('is changed field by field, for this guild only', async () => {
    const other = await addGuild(fixture);
    await fixture.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [
      other.guild_id,
      member,
    ]);
    const shown = { nick: 'Nick', bio: ' Reads. ', pronouns: 'they', accent_color: 0xffffff };
    const changed = await update({
      nick: { value: ' Nick ' },
      bio: { value: ' Reads. ' },
      pronouns: { value: 'they' },
      accent_color: { value: 0xffffff },
    });
    expect(changed).toMatchObject({ ...shown, user: { id: member } });
    expect(await update({ bio: { value: null } })).toMatchObject({ ...shown, bio: null });
    const { member: elsewhere } = await fixture.chat.getMember(
      { guild_id: other.guild_id, user_id: member },
      as(member),
    );
    expect(elsewhere).toMatchObject({ nick: null, bio: null, pronouns: null, accent_color: null });
  });

  test('has an event for the guild; the audit log has only the nick', async () => {
    await update({ nick: { value: 'Nick' }, bio: { value: 'Reads.' } });
    await update({ bio: { value: 'Reads a lot.' } });
    const events = await eventsOf(fixture, home.guild_id);
    expect(events.slice(1)).toMatchObject([
      { type: 'GUILD_MEMBER_UPDATE', payload: { member: { nick: 'Nick', bio: 'Reads.' } } },
      { type: 'GUILD_MEMBER_UPDATE', payload: { member: { nick: 'Nick', bio: 'Reads a lot.' } } },
    ]);
    expect(await entriesOf(fixture, home.guild_id)).toEqual([
      {
        action_type: 24,
        user_id: member,
        target_id: member,
        reason: null,
        options: null,
        changes: [{ key: 'nick', new_value: 'Nick' }],
      },
    ]);
  });

  test('that is updated to the same values is not counted and has no event', async () => {
    await update({ bio: { value: 'Reads.' } });
    const again = () => update({ bio: { value: 'Reads.' }, pronouns: { value: null } });
    expect(await typesWritten(fixture, home.guild_id, again)).toEqual([]);
    expect(fixture.profiles.requests).toHaveLength(1);
  });

  test('counts changes by account and guild; a nick does not count', async () => {
    await update({ nick: { value: 'Nick' } });
    expect(fixture.profiles.requests).toEqual([]);
    await update({ nick: { value: 'N' }, bio: { value: 'x' }, accent_color: { value: 1 } });
    expect(fixture.profiles.requests).toEqual([
      {
        account_id: member,
        guild_id: home.guild_id,
        fields: [ProfileField.PROFILE_FIELD_BIO, ProfileField.PROFILE_FIELD_ACCENT_COLOR],
      },
    ]);
  });

  test('changes no field if one of them was changed too often', async () => {
    fixture.profiles.denial = { field: ProfileField.PROFILE_FIELD_PRONOUNS, retry_after_us: 60_500_000 };
    const change = update({ nick: { value: 'Nick' }, bio: { value: 'x' }, pronouns: { value: 'they' } });
    const { reason, violations } = await faultOf(change);
    expect(reason).toBe('INVALID_FORM_BODY');
    expect(violations).toMatchObject([
      { path: 'pronouns', code: 'PRONOUNS_CHANGED_TOO_MANY_TIMES', message: expect.stringContaining('61') },
    ]);
    expect(await update({})).toMatchObject({ nick: null, bio: null, pronouns: null });
  });

  test('requires CHANGE_NICKNAME for a nick, and counts nothing without it', async () => {
    await fixture.sql.query('UPDATE roles SET permissions = $2 WHERE id = $1', [home.guild_id, '0']);
    const change = update({ nick: { value: 'Nick' }, bio: { value: 'x' } });
    expect(await reasonOf(change)).toBe('MISSING_PERMISSIONS');
    expect(fixture.profiles.requests).toEqual([]);
    expect(await update({ bio: { value: 'x' } })).toMatchObject({ bio: 'x', nick: null });
  });

  test('requires membership', async () => {
    expect(await reasonOf(update({ bio: { value: 'x' } }, addAccount(fixture)))).toBe('MISSING_ACCESS');
    const elsewhere = { guild_id: '1', bio: { value: 'x' } };
    expect(await reasonOf(update(elsewhere))).toBe('NOT_FOUND');
  });

  test('pictures are kept for this guild, and replaced there', async () => {
    const [red, blue] = [onePixel('red'), onePixel('blue')];
    const text = (bytes: Buffer) => ({ value: bytes.toString('base64') });
    const { guild_id } = home;
    fixture.media.origins.length = 0;
    const changed = await update({ avatar: text(red), banner: text(blue) });
    expect(fixture.media.origins, 'count against the member only').toEqual([
      [member, undefined],
      [member, undefined],
    ]);
    expect(changed).toMatchObject({ avatar: pictureHash(red), banner: pictureHash(blue) });
    expect(fixture.media.memberAvatarOf(guild_id, member)).toBe(pictureHash(red));
    expect(fixture.media.memberBannerOf(guild_id, member)).toBe(pictureHash(blue));
    expect(fixture.media.avatarOf(member)).toBeNull();
    expect(fixture.profiles.requests).toMatchObject([
      { fields: [ProfileField.PROFILE_FIELD_AVATAR, ProfileField.PROFILE_FIELD_BANNER] },
    ]);

    await update({ avatar: text(blue), banner: { value: null } });
    expect(fixture.media.memberAvatarOf(guild_id, member)).toBe(pictureHash(blue));
    expect(fixture.media.memberBannerOf(guild_id, member)).toBeNull();
    expect(fixture.media.uploads.size).toBe(0);
  });

  test('an identical picture counts as no change and leaves nothing', async () => {
    const avatar = { value: onePixel('red').toString('base64') };
    await update({ avatar });
    expect(await typesWritten(fixture, home.guild_id, () => update({ avatar }))).toEqual([]);
    expect(fixture.profiles.requests).toHaveLength(1);
    await expect.poll(() => fixture.media.uploads.size).toBe(0);
  });

  test('an invalid picture is refused, and the picture of a refused change is dropped', async () => {
    const avatar = { value: onePixel('red').toString('base64') };
    const banner = { value: Buffer.from('no picture').toString('base64') };
    expect(await violationsOf(update({ avatar, banner }))).toEqual(['banner INVALID_FORMAT']);
    fixture.profiles.denial = { field: ProfileField.PROFILE_FIELD_AVATAR, retry_after_us: 1 };
    expect(await violationsOf(update({ avatar }))).toEqual(['avatar AVATAR_CHANGED_TOO_MANY_TIMES']);
    expect(await reasonOf(update({ avatar }, addAccount(fixture)))).toBe('MISSING_ACCESS');
    await expect.poll(() => fixture.media.uploads.size).toBe(0);
    expect(fixture.media.memberAvatarOf(home.guild_id, member)).toBeNull();
  });

  test('pictures end with the membership, also after an outage of media', async () => {
    const { guild_id, owner } = home;
    await update({
      avatar: { value: onePixel('red').toString('base64') },
      banner: { value: onePixel('blue').toString('base64') },
    });
    await fixture.media.stop();
    await fixture.chat.removeMember({ guild_id, user_id: member }, as(owner));
    expect(fixture.media.memberAvatarOf(guild_id, member)).not.toBeNull();
    await fixture.media.restart();
    const left = () => [
      fixture.media.memberAvatarOf(guild_id, member),
      fixture.media.memberBannerOf(guild_id, member),
    ];
    await expect.poll(left).toEqual([null, null]);
  });

  test('pictures of all members end with the guild', async () => {
    const { guild_id } = home;
    const members = await Promise.all(Array.from({ length: 20 }, () => addMember(fixture, guild_id)));
    const avatar = { value: onePixel('red').toString('base64') };
    for (const id of members) await update({ avatar }, id);
    const left = () => members.filter((id) => fixture.media.memberAvatarOf(guild_id, id) !== null).length;
    expect(left()).toBe(20);
    await fixture.chat.deleteGuild({ guild_id }, as(home.owner));
    await expect.poll(left).toBe(0);
  });

  test('all violations are reported', async () => {
    const request = {
      nick: { value: '' },
      bio: { value: 'x'.repeat(321) },
      pronouns: { value: `a\0${'x'.repeat(40)}` },
      accent_color: { value: -1 },
    };
    expect(await violationsOf(update(request))).toEqual([
      'nick STRING_LENGTH_INVALID',
      'bio STRING_LENGTH_INVALID',
      'pronouns INVALID_FORMAT',
      'pronouns STRING_LENGTH_INVALID',
      'accent_color COLOR_VALUE_TOO_LOW',
    ]);
    expect(await violationsOf(update({ accent_color: { value: 0x1000000 } }))).toEqual([
      'accent_color COLOR_VALUE_TOO_HIGH',
    ]);
  });
});
