import { describe, expect, it } from 'vitest';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { createChannel, newGuild, patchChannel, say } from '../../support/guilds.ts';
import type { Channel, Invite, Message, Webhook } from '../../support/objects.ts';
import { createWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import type { Gateway } from '../support/use-gateway.ts';
import { hiddenExceptFor, MEMBERS, receivedBy, useWatchedGuild } from '../support/watched-guild.ts';

const VIEWERS = ['owner', 'insider'] as const;

/** The rows of docs/gateway.md#events for channels, messages, webhooks and invites. */
export function channelEvents(stack: TestStack, gateway: Gateway): void {
  const watchedGuild = useWatchedGuild(stack, gateway);

  describe('a channel', () => {
    it('that is visible to all is created, updated and deleted in all the guild’s sessions', async () => {
      const { fixture, owner, during } = watchedGuild();
      let channel: Channel | undefined;
      const made = await during(async () => {
        channel = await createChannel(fixture, { name: 'news', topic: 'What is new' });
      });
      expect(made).toEqual(receivedBy(MEMBERS, { t: 'CHANNEL_CREATE', d: channel }));
      const id = channel?.id ?? '';
      const changed = await during(async () => {
        channel = await patchChannel(fixture, id, { name: 'olds', rate_limit_per_user: 1 });
      });
      expect(changed).toEqual(receivedBy(MEMBERS, { t: 'CHANNEL_UPDATE', d: channel }));
      const deleted = await during(() => expectNoContent(owner.api.send('DELETE', `/channels/${id}`)));
      for (const name of MEMBERS) {
        expect(deleted[name].map(({ t }) => t)).toEqual(['CHANNEL_DELETE']);
        expect(deleted[name][0]?.d).toMatchObject({ id, guild_id: fixture.guild.id, name: 'olds', type: 0 });
      }
      expect(deleted.stranger).toEqual([]);
    });

    it('that is visible to some is created, updated and deleted in their sessions only', async () => {
      const { fixture, owner, insiders, during } = watchedGuild();
      let channel: Channel | undefined;
      const permission_overwrites = hiddenExceptFor(fixture.guild, insiders);
      const made = await during(async () => {
        channel = await createChannel(fixture, { name: 'den', permission_overwrites });
      });
      expect(made).toEqual(receivedBy(VIEWERS, { t: 'CHANNEL_CREATE', d: channel }));
      const id = channel?.id ?? '';
      const changed = await during(async () => {
        channel = await patchChannel(fixture, id, { topic: 'quiet' });
      });
      expect(changed).toEqual(receivedBy(VIEWERS, { t: 'CHANNEL_UPDATE', d: channel }));
      const deleted = await during(() => expectNoContent(owner.api.send('DELETE', `/channels/${id}`)));
      expect(Object.entries(deleted).map(([name, received]) => [name, received.map(({ t }) => t)])).toEqual(
        Object.entries(receivedBy(VIEWERS, { t: 'CHANNEL_DELETE', d: 0 })).map(([name, received]) => [
          name,
          received.map(({ t }) => t),
        ]),
      );
      expect(deleted.insider[0]?.d).toMatchObject({ id, guild_id: fixture.guild.id });
    });

    it('with webhooks and messages is deleted in one event', async () => {
      const { fixture, owner, watched, during } = watchedGuild();
      const channel = await createChannel(fixture, { name: 'full' });
      await createWebhook({ ...fixture, channel }, stack.api);
      await watched.member.session.event('WEBHOOKS_UPDATE');
      await say({ channel }, owner, 'here');
      const deleted = await during(() =>
        expectNoContent(owner.api.send('DELETE', `/channels/${channel.id}`)),
      );
      for (const name of MEMBERS) expect(deleted[name].map(({ t }) => t)).toEqual(['CHANNEL_DELETE']);
    });

    it('that moves is updated in the sessions that see it', async () => {
      const { fixture, owner, secret, during } = watchedGuild();
      const positions = [
        { id: secret.id, position: fixture.channel.position },
        { id: fixture.channel.id, position: secret.position },
      ];
      const path = `/guilds/${fixture.guild.id}/channels`;
      const received = await during(() =>
        expectNoContent(owner.api.send('PATCH', path, { body: { positions } })),
      );
      const now = await expectOk<Channel[]>(owner.api.get(path));
      const secretNow = { t: 'CHANNEL_UPDATE', d: now.find(({ id }) => id === secret.id) };
      const generalNow = { t: 'CHANNEL_UPDATE', d: now.find(({ id }) => id === fixture.channel.id) };
      for (const name of ['owner', 'insider', 'member', 'bot', 'manager'] as const)
        expect(received[name], name).toContainEqual(generalNow);
      for (const name of VIEWERS) expect(received[name], name).toContainEqual(secretNow);
      for (const name of ['member', 'bot', 'manager', 'stranger'] as const)
        expect(JSON.stringify(received[name]), name).not.toContain(secret.id);
    });
  });

  describe('a message', () => {
    it.each([
      ['that is visible to all', MEMBERS, false],
      ['that is visible to some', VIEWERS, true],
    ])('in a channel %s reaches exactly the sessions that see it', async (_, viewers, isSecret) => {
      const { fixture, owner, secret, during } = watchedGuild();
      const channel = isSecret ? secret : fixture.channel;
      const guild_id = fixture.guild.id;
      const path = `/channels/${channel.id}/messages`;
      let message: Message | undefined;
      const posted = await during(async () => {
        const embeds = [{ title: 'Release', fields: [{ name: 'Tests', value: 'all pass' }] }];
        const body = { content: `hello <@${owner.user.id}>`, embeds, nonce: 'n-1' };
        message = await expectOk<Message>(owner.api.post(path, body));
      });
      expect(message?.nonce).toBe('n-1');
      expect(posted).toEqual(receivedBy(viewers, { t: 'MESSAGE_CREATE', d: { ...message, guild_id } }));
      const id = message?.id;
      const edited = await during(async () => {
        const body = { content: 'hello again' };
        message = await expectOk<Message>(owner.api.send('PATCH', `${path}/${id}`, { body }));
      });
      expect(edited).toEqual(receivedBy(viewers, { t: 'MESSAGE_UPDATE', d: { ...message, guild_id } }));
      const deleted = await during(() => expectNoContent(owner.api.send('DELETE', `${path}/${id}`)));
      const d = { id, channel_id: channel.id, guild_id };
      expect(deleted).toEqual(receivedBy(viewers, { t: 'MESSAGE_DELETE', d }));
    });

    it('of a webhook, created, edited and deleted by token, reaches the sessions that see the channel', async () => {
      const { fixture, secret, watched, during } = watchedGuild();
      const guild_id = fixture.guild.id;
      const hook = await createWebhook({ ...fixture, channel: secret }, stack.api, { name: 'Build' });
      await watched.member.session.event('WEBHOOKS_UPDATE');
      let message: Message | undefined;
      const posted = await during(async () => {
        message = await hook.say({ content: 'deployed', username: 'Releases', embeds: [{ title: 'x' }] });
      });
      const { id } = message ?? { id: '' };
      const create = { t: 'MESSAGE_CREATE', d: { ...message, guild_id } };
      expect(posted).toEqual(receivedBy(VIEWERS, create));
      expect(message).toMatchObject({
        webhook_id: hook.webhook.id,
        author: { id: hook.webhook.id, username: 'Releases', discriminator: '0000', bot: true },
      });
      const path = `${hook.path}/messages/${id}`;
      const edited = await during(async () => {
        message = await expectOk<Message>(
          stack.api.send('PATCH', path, { body: { content: 'rolled back' } }),
        );
      });
      expect(edited).toEqual(receivedBy(VIEWERS, { t: 'MESSAGE_UPDATE', d: { ...message, guild_id } }));
      const deleted = await during(() => expectNoContent(stack.api.send('DELETE', path)));
      expect(deleted).toEqual(
        receivedBy(VIEWERS, { t: 'MESSAGE_DELETE', d: { id, channel_id: secret.id, guild_id } }),
      );
      const unasked = await during(() => expectNoContent(hook.execute({ content: 'without wait' })));
      expect(unasked.insider).toMatchObject([{ t: 'MESSAGE_CREATE', d: { content: 'without wait' } }]);
      expect(unasked.member).toEqual([]);
    });

    it('has its author’s current name', async () => {
      const { fixture, member, watched } = watchedGuild();
      await expectOk(member.api.send('PATCH', '/users/@me', { body: { global_name: 'Ben B.' } }));
      await watched.member.session.event('USER_UPDATE');
      const path = `/channels/${fixture.channel.id}/messages`;
      const sees = async () => {
        const { id } = await say(fixture, member, 'who am I?');
        const fits = (message: Message) => message.id === id;
        const { author } = await watched.owner.session.event<Message>('MESSAGE_CREATE', fits);
        const read = await expectOk<Message>(member.api.get(`${path}/${id}`));
        return [author.global_name, read.author.global_name];
      };
      await expect.poll(sees).toEqual(['Ben B.', 'Ben B.']);
    });
  });

  describe('WEBHOOKS_UPDATE', () => {
    it('reaches all the guild’s sessions, whether or not they see the channel', async () => {
      const { fixture, owner, secret, watched, during } = watchedGuild();
      const guild_id = fixture.guild.id;
      /** The event is written after the commit, so the mark must wait for it. */
      const receivedWhile = (act: () => Promise<unknown>) =>
        during(async () => {
          await act();
          await Promise.all(MEMBERS.map((name) => watched[name].session.event('WEBHOOKS_UPDATE')));
        });
      const update = (channel_id: string) =>
        receivedBy(MEMBERS, { t: 'WEBHOOKS_UPDATE', d: { guild_id, channel_id } });
      let webhook: Webhook | undefined;
      const made = await receivedWhile(async () => {
        const path = `/channels/${secret.id}/webhooks`;
        webhook = await expectOk<Webhook>(owner.api.post(path, { name: 'Build' }));
      });
      expect(made).toEqual(update(secret.id));
      const path = `/webhooks/${webhook?.id}`;
      const moved = await receivedWhile(() =>
        expectOk(owner.api.send('PATCH', path, { body: { channel_id: fixture.channel.id } })),
      );
      expect(moved, 'a move names the previous channel').toEqual(update(secret.id));
      const byToken = `${path}/${webhook?.token}`;
      const renamed = await receivedWhile(() =>
        expectOk(stack.api.send('PATCH', byToken, { body: { name: 'CI' } })),
      );
      expect(renamed).toEqual(update(fixture.channel.id));
      expect(await receivedWhile(() => expectNoContent(stack.api.send('DELETE', byToken)))).toEqual(
        update(fixture.channel.id),
      );
      const other = await createWebhook({ ...fixture, channel: secret }, stack.api);
      await watched.bot.session.event('WEBHOOKS_UPDATE');
      const deleted = await receivedWhile(() =>
        expectNoContent(owner.api.send('DELETE', `/webhooks/${other.webhook.id}`)),
      );
      expect(deleted).toEqual(update(secret.id));
    });
  });

  it('invite events reach the sessions with MANAGE_CHANNELS only', async () => {
    const { fixture, owner, secret, during } = watchedGuild();
    const guild_id = fixture.guild.id;
    const make = (channel: Channel) =>
      expectOk<Invite>(owner.api.post(`/channels/${channel.id}/invites`, {}));
    let code: string | undefined;
    const made = await during(async () => {
      ({ code } = await make(fixture.channel));
    });
    const d = { code, channel_id: fixture.channel.id, guild_id };
    expect(made).toEqual(receivedBy(['owner', 'manager'], { t: 'INVITE_CREATE', d }));
    const deleted = await during(() => expectNoContent(owner.api.send('DELETE', `/invites/${code}`)));
    expect(deleted).toEqual(receivedBy(['owner', 'manager'], { t: 'INVITE_DELETE', d }));
    const hiddenOne = await during(async () => {
      ({ code } = await make(secret));
    });
    expect(hiddenOne.owner).toMatchObject([{ t: 'INVITE_CREATE', d: { code, channel_id: secret.id } }]);
    expect([hiddenOne.member, hiddenOne.insider, hiddenOne.bot, hiddenOne.stranger]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('a guild’s events do not reach members of another guild', async () => {
    const { stranger, during } = watchedGuild();
    const { owner, channel } = await newGuild(stack.api);
    const received = await during(async () => {
      await say({ channel }, owner, 'elsewhere');
      await say({ channel }, owner, `<@${stranger.user.id}>`);
    });
    expect(received).toEqual(receivedBy([]));
  });
}
