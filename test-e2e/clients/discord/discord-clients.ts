import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';
import { describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { installBot, newBot } from '../../support/bots.ts';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

const run = promisify(execFile);
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await pythonPackages({
  of: 'discord.py, hikari and apprise',
  python: 'python3, 3.11 to 3.14,',
  requirements: fileOf('discord-clients-requirements.txt'),
  modules: ['apprise', 'discord', 'hikari'],
  folderName: (digest, version) => `discord-clients-${digest}-python${version}`,
});

export function discordClients(stack: TestStack): void {
  describe.skipIf(folder === undefined)('discord.py, hikari and apprise, of Python', () => {
    it('use a webhook and a channel with only the base URL changed', async () => {
      const hook = await newWebhook(stack.api);
      const { guild, channel, webhook } = hook;
      const bot = await newBot(stack.api);
      await installBot(hook.owner, guild, bot, bits('SEND_MESSAGES'));
      const [byDiscordPy, byHikari, byApprise] = await useAll({
        api: `${stack.url}/api/v1`,
        webhook_id: webhook.id,
        token: webhook.token,
        bot_token: bot.token,
        channel_id: channel.id,
      });
      const refused = "'list' object has no attribute 'items'";
      expect(byDiscordPy).toEqual(['Deploys', guild.id, 'Py', 'edited by discord.py', refused]);
      expect(byHikari).toEqual([true, 'by hikari', 'Deploys', 'executed by hikari']);
      expect(byApprise).toEqual([true, true]);
      const contents = (await hook.messages())
        .map(({ content, embeds }) => content || embeds[0]?.description)
        .toReversed();
      expect(contents).toEqual([
        ...['edited by discord.py', 'by hikari', 'executed by hikari'],
        ...['by apprise, as Discord', 'by apprise, as Slack'],
      ]);
    });
  });
}

async function useAll(given: object): Promise<readonly unknown[]> {
  const env = pythonEnvironment(folder ?? '');
  const running = run('python3', [fileOf('discord-clients.py')], { env, timeout: 60_000 });
  running.child.stdin?.end(JSON.stringify(given));
  return JSON.parse((await running).stdout);
}
