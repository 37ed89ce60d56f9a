import {
  Client,
  DiscordAPIError,
  EmbedBuilder,
  RateLimitError,
  type RESTOptions,
  WebhookClient,
} from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../support/objects.ts';
import { createWebhook, newWebhook, type WebhookFixture } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

/** A PNG of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export function discordWebhookClient(stack: TestStack): void {
  const clientOf = ({ webhook: { id, token } }: WebhookFixture, rest: Partial<RESTOptions> = {}) =>
    new WebhookClient({ id, token }, { rest: { api: `${stack.url}/api`, version: '1', ...rest } });

  describe('discord.js WebhookClient', () => {
    it('sends text and embeds under its own name and fetches its message', async () => {
      const hook = await newWebhook(stack.api);
      const client = clientOf(hook);
      const embed = new EmbedBuilder()
        .setTitle('Release 2.0')
        .setURL('https://example.com/2.0')
        .setDescription('Faster, smaller.')
        .setColor(0x3ecf8e)
        .setTimestamp(new Date('2026-01-02T03:04:05.678Z'))
        .setAuthor({ name: 'CI', url: 'https://example.com/ci' })
        .setFooter({ text: 'build 7' })
        .addFields({ name: 'Tests', value: '412 passed', inline: true }, { name: 'Size', value: '−3 %' });

      const sent = (await client.send({
        content: 'It is out',
        username: 'Releases',
        embeds: [embed],
      })) as Sent;
      expect(sent).toMatchObject({
        content: 'It is out',
        webhook_id: hook.webhook.id,
        author: { id: hook.webhook.id, username: 'Releases', bot: true },
        embeds: [
          {
            ...JSON.parse(JSON.stringify(embed)),
            type: 'rich',
            timestamp: expect.anything(),
            fields: fields(),
          },
        ],
      });
      expect(Date.parse(sent.embeds[0]?.timestamp ?? '')).toBe(Date.parse('2026-01-02T03:04:05.678Z'));
      const fetched = await client.fetchMessage(sent.id);
      expect(fetched).toEqual(sent);
      expect(await hook.messages()).toEqual([sent]);

      function fields() {
        const { fields = [] } = embed.toJSON();
        return fields.map((field) => expect.objectContaining({ name: field.name, value: field.value }));
      }
    });

    it('edits single parts of its message, and deletes it', async () => {
      const hook = await newWebhook(stack.api);
      const client = clientOf(hook);
      const first = new EmbedBuilder().setTitle('Release 2.0').setColor(0x3ecf8e);
      const sent = (await client.send({ content: 'It is nearly out', embeds: [first] })) as Sent;

      const reworded = (await client.editMessage(sent.id, 'It is out')) as Sent;
      expect(reworded).toEqual({
        ...sent,
        content: 'It is out',
        edited_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      const second = new EmbedBuilder().setTitle('Release 2.1').setDescription('With a fix');
      const restyled = (await client.editMessage(sent.id, { embeds: [second] })) as Sent;
      expect(restyled).toMatchObject({
        content: 'It is out',
        edited_timestamp: reworded.edited_timestamp,
        embeds: [{ type: 'rich', title: 'Release 2.1', description: 'With a fix' }],
      });
      const bare = (await client.editMessage(sent.id, { content: 'It is out', embeds: [] })) as Sent;
      expect(bare).toMatchObject({ content: 'It is out', embeds: [] });
      expect(await client.fetchMessage(sent.id)).toEqual(bare);
      expect(await hook.messages()).toEqual([bare]);

      await client.deleteMessage(sent.id);
      await expect(client.fetchMessage(sent.id)).rejects.toMatchObject({
        status: 404,
        code: 'UNKNOWN_MESSAGE',
      });
      await expect(client.editMessage(sent.id, 'x')).rejects.toMatchObject({ code: 'UNKNOWN_MESSAGE' });
      expect(await hook.messages()).toEqual([]);
    });

    it('may not edit or delete a message by somebody else', async () => {
      const hook = await newWebhook(stack.api);
      const other = clientOf(await createWebhook(hook, stack.api));
      const { id } = (await other.send('not yours')) as Sent;
      const denied = { status: 403, code: 'MISSING_PERMISSIONS' };
      await expect(clientOf(hook).editMessage(id, 'mine')).rejects.toMatchObject(denied);
      await expect(clientOf(hook).deleteMessage(id)).rejects.toMatchObject(denied);
      expect(await hook.messages()).toMatchObject([{ content: 'not yours' }]);
    });

    it('renames the webhook, sets and removes its avatar, fetches and deletes it', async () => {
      const hook = await newWebhook(stack.api);
      const { id, token, guild_id, channel_id } = hook.webhook;
      const client = clientOf(hook);
      const discord = new Client({ intents: [], rest: { api: `${stack.url}/api`, version: '1' } });
      try {
        await client.edit({ name: ' Releases ' });
        await client.edit({ avatar: Buffer.from(PNG, 'base64') });
        const dressed = await discord.fetchWebhook(id, token);
        expect(dressed).toMatchObject({
          id,
          token,
          name: 'Releases',
          avatar: expect.stringMatching(/^[0-9a-f]{32}$/),
          guildId: guild_id,
          channelId: channel_id,
          owner: null,
        });
        const picture = await fetch(`${stack.url}/media/avatars/${id}/${dressed.avatar}`);
        expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
        const sent = (await client.send('with a face')) as Sent;
        expect(sent.author).toMatchObject({ username: 'Releases', avatar: dressed.avatar });

        await client.edit({ avatar: null });
        expect(await discord.fetchWebhook(id, token)).toMatchObject({ name: 'Releases', avatar: null });
        await expect(client.edit({ name: 'x'.repeat(81) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });

        await client.delete('done');
        const gone = { status: 404, code: 'NOT_FOUND' };
        await expect(discord.fetchWebhook(id, token)).rejects.toMatchObject(gone);
        await expect(client.send('too late')).rejects.toMatchObject(gone);
        expect(await hook.messages(), 'its messages remain').toEqual([sent]);
      } finally {
        await discord.destroy();
      }
    });

    it('raises its own errors from the API’s errors', async () => {
      const hook = await newWebhook(stack.api);
      const client = clientOf(hook);
      const failure = await client.send({ content: '   ' }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(DiscordAPIError);
      expect(failure).toMatchObject({ status: 400, code: 'CANNOT_SEND_EMPTY_MESSAGE' });
      const gone = await client.fetchMessage('1').catch((error: unknown) => error);
      expect(gone).toMatchObject({ status: 404, code: 'UNKNOWN_MESSAGE' });
      const stranger = new WebhookClient(
        { id: hook.webhook.id, token: 'A'.repeat(64) },
        { rest: { api: `${stack.url}/api`, version: '1' } },
      );
      expect(await stranger.send('hello').catch((error: unknown) => error)).toMatchObject({ status: 401 });
    });

    it('treats a denial as the rate limit of this webhook', async () => {
      const hook = await newWebhook(stack.api);
      const client = clientOf(hook, { rejectOnRateLimit: () => true });
      await Promise.all(Array.from({ length: 60 }, (_, n) => hook.execute({ content: `${n}` })));
      let denied: unknown;
      // A token drains each second.
      for (let attempt = 0; attempt < 20 && !(denied instanceof RateLimitError); attempt++)
        denied = await client.send('too much').catch((error: unknown) => error);
      expect(denied).toBeInstanceOf(RateLimitError);
      expect(denied).toMatchObject({ limit: 60, scope: 'user', global: false });
    });
  });
}

/** A WebhookClient without a gateway client returns the API's message object. */
type Sent = Message;
