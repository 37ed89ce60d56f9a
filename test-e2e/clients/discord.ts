import { DiscordAPIError, EmbedBuilder, RateLimitError, type RESTOptions, WebhookClient } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { Message } from '../support/objects.ts';
import { type Hook, newHook } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';

export function discordWebhookClient(suite: TestSuite): void {
  const clientOf = ({ webhook: { id, token } }: Hook, rest: Partial<RESTOptions> = {}) =>
    new WebhookClient({ id, token }, { rest: { api: `${suite.url}/api`, version: '1', ...rest } });

  describe('discord.js WebhookClient', () => {
    it('sends text and embeds under a name of its own and fetches what it sent', async () => {
      const hook = await newHook(suite.api);
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

    it('sees the API’s errors as its own', async () => {
      const hook = await newHook(suite.api);
      const client = clientOf(hook);
      const failure = await client.send({ content: '   ' }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(DiscordAPIError);
      expect(failure).toMatchObject({ status: 400, code: 'CANNOT_SEND_EMPTY_MESSAGE' });
      const gone = await client.fetchMessage('1').catch((error: unknown) => error);
      expect(gone).toMatchObject({ status: 404, code: 'UNKNOWN_MESSAGE' });
      const stranger = new WebhookClient(
        { id: hook.webhook.id, token: 'A'.repeat(64) },
        { rest: { api: `${suite.url}/api`, version: '1' } },
      );
      expect(await stranger.send('hello').catch((error: unknown) => error)).toMatchObject({ status: 401 });
    });

    it('understands a denial as the rate limit of this webhook', async () => {
      const hook = await newHook(suite.api);
      const client = clientOf(hook, { rejectOnRateLimit: () => true });
      await Promise.all(Array.from({ length: 60 }, (_, n) => hook.execute({ content: `${n}` })));
      const denied = await client.send('too much').catch((error: unknown) => error);
      expect(denied).toBeInstanceOf(RateLimitError);
      expect(denied).toMatchObject({ limit: 60, scope: 'user', global: false });
    });
  });
}

/** A WebhookClient without a gateway client gives the API's own message object. */
type Sent = Message;
