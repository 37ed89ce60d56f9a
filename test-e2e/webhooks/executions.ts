import { describe, expect, it } from 'vitest';
import { bits } from '../chat/permission-bits.ts';
import { withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createChannel, patchChannel } from '../support/guilds.ts';
import type { Channel, Message } from '../support/objects.ts';
import { createWebhook } from '../support/people.ts';
import { png } from '../support/png.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook } from './calls.ts';

export function executions(stack: TestStack): void {
  describe('an executed message', () => {
    it('is a standard message object with the webhook as author', async () => {
      const hook = await openWebhook(stack, { name: 'Build', avatar: png(2, 3).toString('base64') });
      const { owner, webhook, channel, path } = hook;
      const message = await hook.say({ content: ' hello ', embeds: [{ title: 'x' }], username: ' Night ' });
      expect(message).toEqual({
        id: expect.stringMatching(/^[1-9]\d*$/),
        channel_id: channel.id,
        author: {
          id: webhook.id,
          username: 'Night',
          discriminator: '0000',
          global_name: null,
          avatar: webhook.avatar,
          bot: true,
        },
        webhook_id: webhook.id,
        type: 0,
        flags: 0,
        content: 'hello',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        edited_timestamp: null,
        pinned: false,
        mention_everyone: false,
        tts: false,
        mentions: [],
        mention_roles: [],
        embeds: [expect.objectContaining({ type: 'rich', title: 'x' })],
        attachments: [],
      });
      expect(await expectOk(owner.api.get(`/channels/${channel.id}/messages/${message.id}`))).toEqual(
        message,
      );
      expect(await expectOk(stack.api.get(`${path}/messages/${message.id}`))).toEqual(message);
      const { last_message_id } = await expectOk<Channel>(owner.api.get(`/channels/${channel.id}`));
      expect(last_message_id).toBe(message.id);
      expect((await stack.api.get(path)).json(), 'the stored name stays').toMatchObject({ name: 'Build' });
      expect((await hook.say({ content: 'x' })).author.username).toBe('Build');
    });

    it('needs no permissions and ignores slowmode', async () => {
      const hook = await openWebhook(stack);
      const { owner, guild, channel } = hook;
      await patchChannel(hook, channel.id, { rate_limit_per_user: 21600 });
      const deny = bits('VIEW_CHANNEL', 'SEND_MESSAGES', 'MANAGE_WEBHOOKS');
      const body = { type: 0, allow: '0', deny };
      await expectNoContent(
        owner.api.send('PUT', `/channels/${channel.id}/permissions/${guild.id}`, { body }),
      );
      for (const content of ['one', 'two', 'three']) await hook.say({ content });
      expect(await hook.messages()).toHaveLength(3);
      const { path } = hook;
      expect((await stack.api.post(`${path}/chatcompat`, { text: 'four' })).text).toBe('ok');
      expect((await stack.api.post(`${path}/statuspage`, { component: {} })).status).toBe(204);
      expect(await hook.messages()).toHaveLength(5);
    });

    it('can be in a voice channel', async () => {
      const hook = await openWebhook(stack);
      const voice = await createChannel(hook, { name: 'voice', type: 2 });
      const there = await createWebhook({ ...hook, channel: voice }, withGlobalRetry(stack.api));
      expect((await there.say({ content: 'x' })).channel_id).toBe(voice.id);
    });
  });

  describe('an execution', () => {
    it('that is refused reports every error with its path, with and without wait, and posts nothing', async () => {
      const hook = await openWebhook(stack);
      const body = {
        content: 'x'.repeat(4001),
        embeds: [{ title: 'x' }, { title: 'x'.repeat(257), url: 'ftp://a.example', fields: [{ name: 'x' }] }],
      };
      for (const query of ['', '?wait=true'])
        expectError(await hook.execute(body, query), 400, 'INVALID_FORM_BODY', {
          content: 'CONTENT_EXCEEDS_MAX_LENGTH',
          'embeds.1.title': 'STRING_LENGTH_INVALID',
          'embeds.1.url': 'INVALID_URL_FORMAT',
          'embeds.1.fields.0.value': 'STRING_LENGTH_INVALID',
        });
      const both = { parse: ['users'], users: ['4'] };
      const code = 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER';
      expectError(await hook.execute({ content: 'x', allowed_mentions: both }), 400, code, {
        allowed_mentions: code,
      });
      expectError(await hook.execute({}), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
      expect(await hook.messages()).toEqual([]);
    });

    it('is an empty 204, or 200 with the message, depending only on wait', async () => {
      const hook = await openWebhook(stack);
      for (const [query, status] of [
        ['', 204],
        ['?wait=true', 200],
        ['?wait=True', 200],
        ['?wait=1', 200],
        ['?wait=tRUE', 204],
        ['?wait=2', 204],
        ['?wait=%74rue', 200],
        ['?wait[]=true', 204],
        ['?wait', 204],
        ['?wait=%zz', 204],
        ['?Wait=true', 204],
        ['?x=1&x=2&wait=1&y', 200],
      ] as const) {
        const reply = await hook.execute({ content: query || 'none' }, query);
        expect([query, reply.status]).toEqual([query, status]);
        if (status === 204) expect([reply.text, reply.headers.get('content-type')]).toEqual(['', null]);
        else expect(reply.json<Message>().content).toBe(query);
      }
      for (const query of ['?wait=true&wait=true', '?wait=false&wait=true'])
        expect([200, 204]).toContain((await hook.execute({ content: query }, query)).status);
      expect(await hook.messages()).toHaveLength(14);
    });
  });
}
