import { describe, expect, it } from 'vitest';
import { bits } from '../chat/permission-bits.ts';
import { installBot, newBot } from '../support/bots.ts';
import { newGuild, say } from '../support/guilds.ts';
import type { Message } from '../support/objects.ts';
import type { TestStack } from '../support/stack.ts';
import { startExample } from './example-program.ts';

export function bots(stack: TestStack): void {
  describe.each(['bot', 'bot-discord-js'])('examples/%s', (folder) => {
    it('answers people in a channel, stops cleanly, and says why it cannot go on', async () => {
      const bot = await newBot(stack.api);
      const fixture = await newGuild(stack.api);
      const { owner, channel } = fixture;
      await installBot(owner, fixture.guild, bot, bits('SEND_MESSAGES'));
      const env = { GATEHOUSE_URL: stack.url, BOT_TOKEN: bot.token };
      const program = startExample(folder, ['bot.ts'], env);
      try {
        await program.printed('is online. Write !ping in a channel.');
        await say(fixture, owner, 'hello');
        await say(fixture, owner, '!ping');
        const path = `/channels/${channel.id}/messages`;
        const contents = async () =>
          (await owner.api.get(path)).json<Message[]>().map(({ content }) => content);
        await expect.poll(contents).toEqual([`Pong, ${owner.username}.`, '!ping', 'hello']);
        program.interrupt();
        expect(await program.ended()).toMatchObject({ code: 0 });
      } finally {
        await program.stop();
      }
    });

    it('says what is missing', async () => {
      expect(await startExample(folder, ['bot.ts'], {}).ended()).toEqual({
        code: 1,
        output: 'Set BOT_TOKEN to the token of your application’s bot.\n',
      });
      const BOT_TOKEN = `1.${'A'.repeat(43)}`;
      const wrong = startExample(folder, ['bot.ts'], { GATEHOUSE_URL: stack.url, BOT_TOKEN });
      const refused = `Gatehouse at ${stack.url} does not let the bot in: `;
      expect(await wrong.ended()).toEqual({ code: 1, output: expect.stringContaining(refused) });
      const away = startExample(folder, ['bot.ts'], { GATEHOUSE_URL: 'http://127.0.0.1:9', BOT_TOKEN });
      const unreachable = 'Gatehouse at http://127.0.0.1:9 does not let the bot in: ';
      expect(await away.ended()).toEqual({ code: 1, output: expect.stringContaining(unreachable) });
    });
  });
}
