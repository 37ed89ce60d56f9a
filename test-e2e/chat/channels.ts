import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createChannel, createRole, newGuild, patchChannel, post, say } from '../support/guilds.ts';
import type { Channel } from '../support/objects.ts';
import { createWebhook, type GuildFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { untilGone } from '../support/until-gone.ts';
import { bits } from './permission-bits.ts';

export function channels(stack: TestStack): void {
  const listed = ({ owner, guild }: GuildFixture) =>
    expectOk<Channel[]>(owner.api.get(`/guilds/${guild.id}/channels`));

  describe('channels', () => {
    it('are text, voice or categories, and categories contain the others', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild } = fixture;
      const category = await createChannel(fixture, { name: 'Rooms', type: 4 });
      const voice = await createChannel(fixture, { name: 'Talk', type: 2, parent_id: category.id });
      const overwrite = { id: guild.id, type: 0, allow: '0', deny: bits('SEND_MESSAGES') };
      const text = await createChannel(fixture, {
        name: 'news',
        topic: 'What is new',
        parent_id: category.id,
        rate_limit_per_user: 5,
        permission_overwrites: [overwrite],
      });
      expect(text).toMatchObject({
        guild_id: guild.id,
        type: 0,
        name: 'news',
        topic: 'What is new',
        parent_id: category.id,
        rate_limit_per_user: 5,
        permission_overwrites: [overwrite],
        last_message_id: null,
      });
      expect(text.position).toEqual(expect.any(Number));
      expect(await expectOk(owner.api.get(`/channels/${text.id}`))).toEqual(text);
      expect(await listed(fixture)).toEqual(expect.arrayContaining([category, voice, text]));

      const changed = await patchChannel(fixture, text.id, { name: 'olds', topic: null, parent_id: null });
      expect(changed).toEqual({ ...text, name: 'olds', topic: null, parent_id: null });
      await expectNoContent(owner.api.send('DELETE', `/channels/${category.id}`));
      expect(
        await expectOk(owner.api.get(`/channels/${voice.id}`)),
        'a channel outlives its category',
      ).toMatchObject({
        parent_id: null,
      });
    });

    it('take messages, except categories', async () => {
      const fixture = await newGuild(stack.api);
      const { owner } = fixture;
      const category = await createChannel(fixture, { type: 4 });
      const voice = await createChannel(fixture, { type: 2 });
      await say({ channel: voice }, owner, 'hello');
      expect((await post({ channel: category }, owner, 'hello')).status).toBe(400);
      expectError(
        await owner.api.post(`/channels/${category.id}/webhooks`, { name: 'x' }),
        400,
        'BAD_REQUEST',
      );
      expect((await owner.api.post(`/channels/${voice.id}/webhooks`, { name: 'x' })).status).toBe(200);
    });

    it('keep each overwrite until it is removed or its role is deleted', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild, channel } = fixture;
      const role = await createRole(fixture, {});
      const path = (id: string) => `/channels/${channel.id}/permissions/${id}`;
      const stored = async () =>
        (await expectOk<Channel>(owner.api.get(`/channels/${channel.id}`))).permission_overwrites;
      const one = { type: 0, allow: bits('SEND_MESSAGES'), deny: '0' };
      const other = { type: 1, allow: '0', deny: bits('VIEW_CHANNEL', 'SEND_MESSAGES') };
      await expectNoContent(owner.api.send('PUT', path(role.id), { body: one }));
      await expectNoContent(owner.api.send('PUT', path(owner.user.id), { body: other }));
      expect(await stored()).toHaveLength(2);
      expect(await stored()).toEqual(
        expect.arrayContaining([
          { id: role.id, ...one },
          { id: owner.user.id, ...other },
        ]),
      );
      await expectNoContent(owner.api.send('DELETE', path(owner.user.id)));
      expect(await stored()).toEqual([{ id: role.id, ...one }]);
      await expectNoContent(owner.api.send('DELETE', `/guilds/${guild.id}/roles/${role.id}`));
      expect(await stored()).toEqual([]);
    });

    it('are deleted with their messages, invites and webhooks', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, channel } = fixture;
      const code = await fixture.invite();
      const hook = await createWebhook(fixture, stack.api);
      await hook.say({ content: 'x' });
      await expectNoContent(owner.api.send('DELETE', `/channels/${channel.id}`));
      expectError(await owner.api.get(`/channels/${channel.id}`), 404, 'NOT_FOUND');
      expectError(await owner.api.get(`/channels/${channel.id}/messages`), 404, 'NOT_FOUND');
      expectError(await stack.api.get(`/invites/${code}`), 404, 'UNKNOWN_INVITE');
      await untilGone(stack.api, hook.path);
      expect(await listed(fixture)).toEqual([]);
    });
  });
}
