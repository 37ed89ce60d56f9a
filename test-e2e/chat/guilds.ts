import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, newGuild, say } from '../support/guilds.ts';
import type { Guild, ListedGuild } from '../support/objects.ts';
import { createWebhook, newcomer, type Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { untilGone } from '../support/until-gone.ts';
import { ALL, bits, DEFAULT } from './permission-bits.ts';

export function guilds(stack: TestStack): void {
  describe('guilds', () => {
    it('start with their owner, the role @everyone and a channel', async () => {
      const { api, user } = await newcomer(withGlobalRetry(stack.api));
      const guild = await expectOk<Guild>(api.post('/guilds', { name: '  Workshop  ' }));
      expect(guild).toMatchObject({
        name: 'Workshop',
        icon: null,
        owner_id: user.id,
        features: [],
        member_count: 1,
        roles: [
          {
            id: guild.id,
            name: '@everyone',
            color: 0,
            position: 0,
            hoist: false,
            mentionable: false,
            permissions: String(DEFAULT),
          },
        ],
      });
      expect(await expectOk(api.get(`/guilds/${guild.id}`))).toEqual(guild);
      expect(await expectOk(api.get(`/guilds/${guild.id}/roles`))).toEqual(guild.roles);
      expect(await expectOk(api.get(`/guilds/${guild.id}/channels`))).toMatchObject([
        { name: 'general', type: 0 },
      ]);
    });

    it('are listed with the caller’s permissions', async () => {
      const fixture = await newGuild(stack.api);
      const member = await join(stack.api, fixture);
      const here = async (person: { api: typeof stack.api }) =>
        (await expectOk<ListedGuild[]>(person.api.get('/users/@me/guilds'))).find(
          ({ id }) => id === fixture.guild.id,
        );
      expect((await here(fixture.owner))?.permissions, 'the owner has all permissions').toBe(String(ALL));
      expect((await here(member))?.permissions).toBe(String(DEFAULT));
      await giveRole(fixture, member, await createRole(fixture, { permissions: bits('KICK_MEMBERS') }));
      expect((await here(member))?.permissions).toBe(String(DEFAULT | 2n));
      await giveRole(fixture, member, await createRole(fixture, { permissions: bits('ADMINISTRATOR') }));
      expect((await here(member))?.permissions, 'ADMINISTRATOR implies all permissions').toBe(String(ALL));
      expect(await here(await newcomer(stack.api))).toBeUndefined();
    });

    it('can be left by members, not by the owner', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild, channel } = fixture;
      const member = await join(stack.api, fixture);
      const count = async () => (await expectOk<Guild>(owner.api.get(`/guilds/${guild.id}`))).member_count;
      expect(await count()).toBe(2);
      await expectNoContent(member.api.send('DELETE', `/users/@me/guilds/${guild.id}`));
      expect(await count()).toBe(1);
      expectError(await member.api.get(`/guilds/${guild.id}`), 403, 'MISSING_ACCESS');
      expectError(await member.api.get(`/channels/${channel.id}`), 403, 'MISSING_ACCESS');
      expect(await expectOk(member.api.get('/users/@me/guilds'))).toEqual([]);
      expectError(await owner.api.send('DELETE', `/users/@me/guilds/${guild.id}`), 400, 'BAD_REQUEST');
      expect(await count()).toBe(1);
    });

    it('are transferred by their owner to a member only', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild } = fixture;
      const member = await join(stack.api, fixture);
      const hand = (by: Person, owner_id: string) =>
        by.api.send('PATCH', `/guilds/${guild.id}`, { body: { owner_id } });
      await giveRole(fixture, member, await createRole(fixture, { permissions: bits('ADMINISTRATOR') }));
      expectError(await hand(member, member.user.id), 403, 'MISSING_PERMISSIONS');
      const outsider = await newcomer(stack.api);
      expectError(await hand(owner, outsider.user.id), 404, 'UNKNOWN_MEMBER');
      expect((await expectOk<Guild>(hand(owner, member.user.id))).owner_id).toBe(member.user.id);
      expectError(await owner.api.send('DELETE', `/guilds/${guild.id}`), 403, 'MISSING_PERMISSIONS');
      await expectNoContent(owner.api.send('DELETE', `/users/@me/guilds/${guild.id}`));
      await expectNoContent(member.api.send('DELETE', `/guilds/${guild.id}`));
    });

    it('are deleted with their channels, messages, invites and webhooks', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild, channel } = fixture;
      const code = await fixture.invite();
      const member = await join(stack.api, fixture);
      const { id } = await say(fixture, member, 'x');
      const hook = await createWebhook(fixture, stack.api);
      expectError(await member.api.send('DELETE', `/guilds/${guild.id}`), 403, 'MISSING_PERMISSIONS');
      await expectNoContent(owner.api.send('DELETE', `/guilds/${guild.id}`));

      for (const { api } of [owner, member]) {
        expectError(await api.get(`/guilds/${guild.id}`), 404, 'NOT_FOUND');
        expectError(await api.get(`/channels/${channel.id}`), 404, 'NOT_FOUND');
        expectError(await api.get(`/channels/${channel.id}/messages/${id}`), 404, 'NOT_FOUND');
        expect(await expectOk(api.get('/users/@me/guilds'))).toEqual([]);
      }
      expectError(await stack.api.get(`/invites/${code}`), 404, 'UNKNOWN_INVITE');
      expectError(await hook.execute({ content: 'x' }), 404, 'NOT_FOUND');
      await untilGone(stack.api, hook.path);
    });
  });
}
