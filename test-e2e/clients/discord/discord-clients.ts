import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pipFolder } from '@gatehouse/dev-env/programs/pip-folder';
import { describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { installBot, newBot } from '../../support/bots.ts';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

const run = promisify(execFile);
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await packages();

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
        ...['from apprise to Discord', 'from apprise to Slack'],
      ]);
    });
  });
}

async function useAll(given: object): Promise<readonly unknown[]> {
  const env = environmentOf(folder ?? '');
  const running = run('python3', [fileOf('discord-clients.py')], { env, timeout: 60_000 });
  running.child.stdin?.end(JSON.stringify(given));
  return JSON.parse((await running).stdout);
}

/** Undefined without Python and pip, or if the packages have no wheels for it; the reason goes to standard error. */
async function packages(): Promise<string | undefined> {
  try {
    const requirements = fileOf('discord-clients-requirements.txt');
    const [{ stdout: python }, digest] = await Promise.all([
      run('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2], end="")']),
      readFile(requirements).then((bytes) => hash('sha256', bytes).slice(0, 8)),
    ]);
    return await pipFolder({
      name: `discord-clients-${digest}-python${python}`,
      requirements,
      works: (draft) =>
        run('python3', ['-c', 'import apprise, discord, hikari'], { env: environmentOf(draft) }),
    });
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of discord.py, hikari and apprise. Put python3, 3.11 to 3.14, with pip on PATH: ${error}\n`,
    );
    return undefined;
  }
}

function environmentOf(draft: string): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: draft, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
}
