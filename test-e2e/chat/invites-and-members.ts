import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, newGuild } from '../support/guilds.ts';
import type { Guild, Invite, Member } from '../support/objects.ts';
import { newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

/** A PNG of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export function invitesAndMembers(stack: TestStack): void {
  describe('an invite', () => {
    it('lets anyone join, and counts a member once', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild, channel } = fixture;
      const code = await fixture.invite();
      expect(code).toMatch(/^[A-Za-z0-9]{6,}$/);
      expect((await stack.api.get(`/invites/${code}`)).json(), 'public').toMatchObject({ code });
      const person = await newcomer(withGlobalRetry(stack.api));
      expect(await expectOk(person.api.post(`/invites/${code}`))).toMatchObject({ code });
      await expectOk(person.api.post(`/invites/${code}`));
      expect((await expectOk<Guild>(person.api.get(`/guilds/${guild.id}`))).member_count).toBe(2);
      const other = await expectOk<Invite>(person.api.post(`/channels/${channel.id}/invites`, {}));
      const listed = await expectOk<Invite[]>(owner.api.get(`/channels/${channel.id}/invites`));
      expect(listed.map((each) => each.code).sort()).toEqual([code, other.code].sort());
    });

    it('stops working once it is deleted', async () => {
      const fixture = await newGuild(stack.api);
      const member = await join(stack.api, fixture);
      const path = `/invites/${await fixture.invite()}`;
      expectError(await member.api.send('DELETE', path), 403, 'MISSING_PERMISSIONS');
      await expectNoContent(fixture.owner.api.send('DELETE', path));
      for (const reply of [
        await stack.api.get(path),
        await (await newcomer(stack.api)).api.post(path),
        await fixture.owner.api.send('DELETE', path),
      ]) {
        expectError(reply, 404, 'UNKNOWN_INVITE');
      }
    });
  });

  describe('the members of a guild', () => {
    it('are shown with their account and guild profile', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild } = fixture;
      const member = await join(stack.api, fixture);
      const role = await createRole(fixture, {});
      await giveRole(fixture, member, role);
      const { id, username } = member.user;
      expect(await expectOk(owner.api.get(`/guilds/${guild.id}/members/${id}`))).toEqual({
        user: { id, username, discriminator: '0', global_name: null, avatar: null, bot: false },
        nick: null,
        avatar: null,
        banner: null,
        bio: null,
        pronouns: null,
        accent_color: null,
        roles: [role.id],
        joined_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
    });

    it('have a profile in each guild, separate from their account’s', async () => {
      const [here, there] = [await newGuild(stack.api), await newGuild(stack.api)];
      const member = await join(stack.api, here);
      await expectOk(member.api.post(`/invites/${await there.invite()}`));
      const path = `/guilds/${here.guild.id}/members/@me`;
      const patch = (body: object) => member.api.send('PATCH', path, { body });
      const profile = { nick: '😀'.repeat(32), bio: 'here', pronouns: 'they', accent_color: 0xffffff };
      const changed = await expectOk<Member>(
        patch({ ...profile, avatar: PNG, banner: `data:image/png;base64,${PNG}` }),
      );
      expect(changed).toMatchObject(profile);
      expect([changed.avatar, changed.banner]).toEqual([
        expect.stringMatching(/^[0-9a-f]{32}$/),
        expect.stringMatching(/^[0-9a-f]{32}$/),
      ]);
      expect(
        await expectOk(here.owner.api.get(`/guilds/${here.guild.id}/members/${member.user.id}`)),
      ).toEqual(changed);
      const elsewhere = await expectOk<Member>(
        there.owner.api.get(`/guilds/${there.guild.id}/members/${member.user.id}`),
      );
      expect(elsewhere).toMatchObject({ nick: null, bio: null, avatar: null });
      expect(await expectOk(member.api.get('/users/@me'))).toMatchObject({
        bio: null,
        avatar: null,
        accent_color: null,
      });
      const cleared = {
        nick: null,
        bio: null,
        pronouns: null,
        accent_color: null,
        avatar: null,
        banner: null,
      };
      expect(await expectOk(patch(cleared))).toMatchObject(cleared);
    });

    it('can change a profile field 25 times in half an hour, per guild and separate from the account', async () => {
      const fixture = await newGuild(stack.api);
      const other = await newGuild(stack.api);
      const member = await join(stack.api, fixture);
      await expectOk(member.api.post(`/invites/${await other.invite()}`));
      const change = async (bio: string, guild = fixture.guild) => {
        for (;;) {
          const reply = await member.api.send('PATCH', `/guilds/${guild.id}/members/@me`, { body: { bio } });
          if (reply.status !== 429) return reply;
          await new Promise((resolve) =>
            setTimeout(resolve, reply.json<{ retry_after: number }>().retry_after * 1000),
          );
        }
      };
      for (let n = 0; n < 25; n += 1) await expectOk(change(`bio ${n}`));
      expectError(await change('bio 25'), 400, 'INVALID_FORM_BODY', { bio: 'BIO_CHANGED_TOO_MANY_TIMES' });
      await expectOk(change('bio 24'));
      await expectOk(change('bio', other.guild));
      await expectOk(member.api.send('PATCH', '/users/@me', { body: { bio: 'mine' } }));
    });
  });
}
