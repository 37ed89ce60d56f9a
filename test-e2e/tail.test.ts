import { until } from '@gatehouse/dev-env/until';
import { afterEach, describe, expect, it } from 'vitest';
import { newBot } from './support/bots.ts';
import { type Command, runScript } from './support/command.ts';
import { createGuild, createWebhook, newcomer } from './support/people.ts';
import { useStack } from './support/stack.ts';

const WITHIN_MS = 30_000;

describe('gatehouse tail', () => {
  const stack = useStack();
  const running: Command[] = [];
  afterEach(() => {
    for (const command of running.splice(0)) command.kill('SIGKILL');
  });

  /** Starts `gatehouse tail` and waits until it listens. */
  async function start(token: string, ...args: string[]): Promise<Command> {
    const command = runScript('cli/src/main.ts', ['tail', '--base-url', stack.url, ...args], {
      GATEWAY_TOKEN: token,
    });
    running.push(command);
    await says(command, 'Listening at');
    return command;
  }

  const shows = (command: Command, text: string) =>
    until(
      `${text} in the lines of ${command.stdout()}`,
      WITHIN_MS,
      () => command.stdout().includes(text) || undefined,
    );
  const says = (command: Command, text: string, times = 1) =>
    until(`${text} in the notes`, WITHIN_MS, () => command.stderr().split(text).length > times || undefined);

  it('shows an account’s events until it logs out', async () => {
    const ada = await newcomer(stack.api);
    const hook = await createWebhook(await createGuild(ada, 'Workshop'), stack.api);
    const lines = await start(ada.token, '--channel', hook.channel.id);
    const json = await start(ada.token, '--json', '--types', 'MESSAGE_CREATE', '--count', '1');

    const message = await hook.say({ content: 'deployed \u202e v1', embeds: [{ title: 'v1', fields: [] }] });
    await shows(lines, 'MESSAGE_CREATE Workshop #general Build BOT: deployed   v1 ┃ v1\n');
    expect((await json.ended).code).toBe(0);
    expect(JSON.parse(json.stdout())).toMatchObject({
      t: 'MESSAGE_CREATE',
      d: { ...message, guild_id: hook.guild.id },
    });

    expect((await ada.api.post('/auth/logout', {})).status).toBe(204);
    expect((await lines.ended).code).toBe(1);
    expect(lines.stderr()).toContain('another revocation');
  });

  it('shows a bot’s guilds by name', async () => {
    const bot = await newBot(stack.api);
    const { channel } = await createGuild(bot, 'Robots');
    const tail = await start(bot.token);
    await shows(tail, 'GUILD_CREATE   Robots');
    await bot.api.post(`/channels/${channel.id}/messages`, { content: 'beep' });
    await shows(tail, 'Robots #general');
    tail.kill('SIGINT');
    expect((await tail.ended).code).toBe(0);
  });

  it('continues with a new session after the Gateway is killed', async () => {
    const ada = await newcomer(stack.api);
    const hook = await createWebhook(await createGuild(ada), stack.api);
    const tail = await start(ada.token);
    const pid = stack.running.pids().realtime;
    if (pid === undefined) throw new Error('realtime is not running');
    process.kill(pid, 'SIGKILL');
    await says(tail, 'Listening at', 2);
    await hook.say({ content: 'back' });
    await shows(tail, 'BOT: back');
    expect(tail.stderr()).toMatch(/ended: .* Resuming\.\n[\s\S]*events until then are lost\./);
  });

  it('fails with an invalid token', async () => {
    const tail = runScript('cli/src/main.ts', ['tail', '--base-url', stack.url], {
      GATEWAY_TOKEN: 'gth_wrong',
    });
    expect((await tail.ended).code).toBe(1);
    expect(tail.stderr()).toContain('does not accept this token');
  });
});
