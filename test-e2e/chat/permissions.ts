import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import type { Channel, Overwrite, Role } from '../support/objects.ts';
import type { Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { bits, type Permission } from './bits.ts';
import {
  createChannel,
  createRole,
  done,
  type GuildFixture,
  giveRole,
  join,
  newGuild,
  ok,
  patchChannel,
  post,
  takeRole,
} from './guild-fixture.ts';

const VIEW = bits('VIEW_CHANNEL');

export function permissions(suite: TestSuite): void {
  describe('the permissions of a member', () => {
    it('in a channel come of @everyone’s overwrite, those of roles together, and the member’s own', async () => {
      const fixture = await newGuild(suite.api);
      const { guild, owner } = fixture;
      const [member, admin] = [await join(suite.api, fixture), await join(suite.api, fixture)];
      const [one, two, foreign] = [
        await createRole(fixture, { permissions: '0' }),
        await createRole(fixture, { permissions: '0' }),
        await createRole(fixture, { permissions: '0' }),
      ];
      await giveRole(fixture, member, one);
      await giveRole(fixture, member, two);
      await giveRole(fixture, admin, await createRole(fixture, { permissions: bits('ADMINISTRATOR') }));
      const allow = ({ id }: { id: string }, type = 0): Overwrite => ({ id, type, allow: VIEW, deny: '0' });
      const deny = ({ id }: { id: string }, type = 0): Overwrite => ({ id, type, allow: '0', deny: VIEW });
      const cases: [name: string, ...Overwrite[]][] = [
        ['hidden-to-everyone', deny(guild)],
        ['seen-by-one-role', deny(guild), allow(one)],
        ['hidden-by-one-role', allow(guild), deny(one)],
        ['seen-as-allows-follow-denies', deny(guild), allow(one), deny(two)],
        ['seen-by-the-member', deny(guild), deny(one), allow(member.user, 1)],
        ['hidden-to-the-member', allow(one), deny(member.user, 1)],
        ['hidden-by-a-role-of-others', deny(guild), allow(foreign)],
        ['hidden-as-admin-is-no-overwrite', deny(guild), { ...allow(one), allow: bits('ADMINISTRATOR') }],
      ];
      for (const [name, ...permission_overwrites] of cases) {
        await createChannel(fixture, { name, permission_overwrites });
      }
      const seenBy = async ({ api }: Person) =>
        (await ok<Channel[]>(api.get(`/guilds/${guild.id}/channels`))).map(({ name }) => name).sort();
      const names = ['general', ...cases.map(([name]) => name)].sort();
      expect(await seenBy(member)).toEqual(names.filter((name) => !name.startsWith('hidden')));
      expect(await seenBy(admin)).toEqual(names);
      expect(await seenBy(owner)).toEqual(names);
    });

    it('decide at once: a hidden channel opens with a role and closes without it', async () => {
      const fixture = await newGuild(suite.api);
      const { guild, channel, owner } = fixture;
      const member = await join(suite.api, fixture);
      const insider = await createRole(fixture, { permissions: '0' });
      const { id } = await ok<{ id: string }>(post(fixture, owner, 'for the insiders'));
      await patchChannel(fixture, channel.id, {
        permission_overwrites: [
          { id: guild.id, type: 0, allow: '0', deny: VIEW },
          { id: insider.id, type: 0, allow: VIEW, deny: '0' },
        ],
      });
      const looks = ['', '/messages', `/messages/${id}`, '/slowmode'].map(
        (end) => `/channels/${channel.id}${end}`,
      );
      const expectHidden = async () => {
        for (const path of looks) expectError(await member.api.get(path), 403, 'MISSING_ACCESS');
        expectError(await post(fixture, member, 'x'), 403, 'MISSING_ACCESS');
        expect(await ok(member.api.get(`/guilds/${guild.id}/channels`))).toEqual([]);
      };
      await expectHidden();
      await giveRole(fixture, member, insider);
      for (const path of looks) await ok(member.api.get(path));
      await ok(post(fixture, member, 'here I am'));
      await takeRole(fixture, member, insider);
      await expectHidden();
    });

    it.each<[Permission, (fixture: GuildFixture, member: Person) => ReturnType<Person['api']['get']>]>([
      ['SEND_MESSAGES', (fixture, member) => post(fixture, member, 'x')],
      ['READ_MESSAGE_HISTORY', ({ channel }, { api }) => api.get(`/channels/${channel.id}/messages`)],
      ['CREATE_INSTANT_INVITE', ({ channel }, { api }) => api.post(`/channels/${channel.id}/invites`, {})],
    ])('in a channel are taken one by one: %s', async (name, act) => {
      const fixture = await newGuild(suite.api);
      const member = await join(suite.api, fixture);
      await ok(act(fixture, member));
      const { owner, guild, channel } = fixture;
      const body = { type: 0, allow: '0', deny: bits(name) };
      await done(owner.api.send('PUT', `/channels/${channel.id}/permissions/${guild.id}`, { body }));
      expectError(await act(fixture, member), 403, 'MISSING_PERMISSIONS');
      await ok(act(fixture, owner));
      await done(owner.api.send('DELETE', `/channels/${channel.id}/permissions/${guild.id}`));
      await ok(act(fixture, member));
    });
  });

  describe('a permission string', () => {
    const WRONG = [
      '-1',
      '',
      ' ',
      '0x8',
      '1e3',
      '01',
      '+1',
      '8 ',
      '1.0',
      String(1n << 63n),
      String(1n << 64n),
    ];

    it('is a decimal number of 63 bits, or is refused', async () => {
      const { owner, guild, channel } = await newGuild(suite.api);
      for (const permissions of WRONG) {
        const path = `/guilds/${guild.id}/roles/${guild.id}`;
        const reply = await owner.api.send('PATCH', path, { body: { permissions } });
        expectError(reply, 400, 'INVALID_FORM_BODY', { permissions: 'INVALID_FORMAT' });
      }
      for (const bad of ['-1', String(1n << 64n)]) {
        const path = `/channels/${channel.id}/permissions/${guild.id}`;
        const reply = await owner.api.send('PUT', path, { body: { type: 0, allow: bad, deny: bad } });
        expectError(reply, 400, 'INVALID_FORM_BODY', { allow: 'INVALID_FORMAT', deny: 'INVALID_FORMAT' });
      }
    });

    it('loses the bits that nobody has', async () => {
      const { owner, guild } = await newGuild(suite.api);
      const set = (permissions: string) =>
        ok<Role>(owner.api.send('PATCH', `/guilds/${guild.id}/roles/${guild.id}`, { body: { permissions } }));
      expect((await set(String((1n << 63n) - 1n))).permissions).toBe('33787032395841535');
      expect((await set(String((1n << 19n) | (1n << 62n) | 1n))).permissions).toBe('1');
    });
  });
}
