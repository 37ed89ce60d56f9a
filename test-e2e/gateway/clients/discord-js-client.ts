import { Client, Events, GatewayIntentBits, type Message } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { installBot, newBot } from '../../support/bots.ts';
import { newGuild, say } from '../../support/guilds.ts';
import type { TestStack } from '../../support/stack.ts';

const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;

/**
 * The full client, which fills its caches from READY and later events. Default settings, except address and version.
 */
export function discordJsClient(stack: TestStack): void {
  let opened: Client[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((client) => client.destroy()));
    opened = [];
  });

  describe('discord.js Client', () => {
    it('is ready with its application and guild, and replies to a message', async () => {
      const bot = await newBot(stack.api);
      const fixture = await newGuild(stack.api);
      await installBot(fixture.owner, fixture.guild, bot, bits('SEND_MESSAGES', 'MANAGE_CHANNELS'));
      const client = new Client({
        intents: [Guilds, GuildMessages, MessageContent],
        rest: { api: `${stack.url}/api`, version: '1' },
        ws: { version: 1 },
      });
      opened.push(client);
      const contents: string[] = [];
      const errors: unknown[] = [];
      client.on(Events.Error, (error) => void errors.push(error));
      client.on(Events.MessageCreate, (message: Message) => {
        contents.push(message.content);
        if (message.content === 'ping') void message.reply('pong').catch((error) => errors.push(error));
      });
      const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
      await client.login(bot.token);
      await ready;
      expect([client.user?.id, client.application?.id]).toEqual([bot.id, bot.id]);
      const guild = client.guilds.cache.get(fixture.guild.id);
      expect([guild?.name, guild?.ownerId]).toEqual([fixture.guild.name, fixture.owner.user.id]);
      expect(guild?.channels.cache.map(({ name }) => name)).toEqual(['general']);
      await say(fixture, fixture.owner, 'ping');
      await expect.poll(() => contents).toEqual(['ping', 'pong']);
      await guild?.channels.create({ name: 'news' });
      await expect.poll(() => guild?.channels.cache.map(({ name }) => name)).toEqual(['general', 'news']);
      expect(errors).toEqual([]);
    });
  });
}
