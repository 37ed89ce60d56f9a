import { once } from 'node:events';
import {
  Client,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayMessageCreateDispatchData,
} from '@discordjs/core';
import { REST } from '@discordjs/rest';
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { afterEach, describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { type Bot, installBot, newBot } from '../../support/bots.ts';
import { newGuild, say } from '../../support/guilds.ts';
import type { Message } from '../../support/objects.ts';
import { createWebhook, type GuildFixture } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

interface Running {
  readonly bot: Bot;
  readonly fixture: GuildFixture;
  readonly manager: WebSocketManager;
  readonly client: Client;
  readonly guilds: GatewayGuildCreateDispatchData[];
  readonly messages: GatewayMessageCreateDispatchData[];
  /** Number of these events. */
  readonly count: { ready: number; resumed: number };
  readonly errors: unknown[];
}

/** The libraries with default settings, except address, version and token. */
export function discordClient(stack: TestStack): void {
  let opened: WebSocketManager[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((manager) => manager.destroy()));
    opened = [];
  });

  async function start(): Promise<Running> {
    const bot = await newBot(stack.api);
    const fixture = await newGuild(stack.api);
    await installBot(fixture.owner, fixture.guild, bot, bits('SEND_MESSAGES'));
    const rest = new REST({ api: `${stack.url}/api`, version: '1' }).setToken(bot.token);
    // The default store is shared by all managers of a process.
    const sessions = new Map<number, SessionInfo>();
    const manager = new WebSocketManager({
      token: bot.token,
      intents: 0,
      rest,
      version: '1',
      retrieveSessionInfo: (id) => sessions.get(id) ?? null,
      updateSessionInfo: (id, info) => void (info === null ? sessions.delete(id) : sessions.set(id, info)),
    });
    opened.push(manager);
    const client = new Client({ rest, gateway: manager });
    const running: Running = {
      bot,
      fixture,
      manager,
      client,
      guilds: [],
      messages: [],
      count: { ready: 0, resumed: 0 },
      errors: [],
    };
    client.on(GatewayDispatchEvents.GuildCreate, ({ data }) => void running.guilds.push(data));
    client.on(GatewayDispatchEvents.MessageCreate, ({ data }) => void running.messages.push(data));
    manager.on(WebSocketShardEvents.Ready, () => {
      running.count.ready += 1;
    });
    manager.on(WebSocketShardEvents.Resumed, () => {
      running.count.resumed += 1;
    });
    manager.on(WebSocketShardEvents.Error, (error) => void running.errors.push(error));
    await manager.connect();
    return running;
  }

  const seen = (messages: readonly GatewayMessageCreateDispatchData[], count: number) =>
    expect.poll(() => messages.map(({ content }) => content)).toHaveLength(count);

  describe('@discordjs/ws with @discordjs/core', () => {
    it('receives its guild and messages, and replies', async () => {
      const { bot, fixture, client, guilds, messages, errors } = await start();
      await expect.poll(() => guilds).toHaveLength(1);
      expect(guilds[0]).toMatchObject({ id: fixture.guild.id, channels: [{ name: 'general' }] });
      client.on(GatewayDispatchEvents.MessageCreate, async ({ data, api }) => {
        if (data.content === 'ping') await api.channels.createMessage(data.channel_id, { content: 'pong' });
      });
      await say(fixture, fixture.owner, 'ping');
      await expect.poll(() => messages.map(({ content }) => content)).toEqual(['ping', 'pong']);
      expect(messages[1]).toMatchObject({
        author: { id: bot.id, bot: true },
        guild_id: fixture.guild.id,
        channel_id: fixture.channel.id,
      });
      const hook = await createWebhook(fixture, stack.api);
      const sent: Message = await hook.say({ content: 'deployed', username: 'CI' });
      await seen(messages, 3);
      expect(messages[2]).toEqual({ ...sent, guild_id: fixture.guild.id });
      expect(errors).toEqual([]);
    });

    it('resumes on its own without losing a message', async () => {
      const { fixture, manager, messages, count, errors } = await start();
      await say(fixture, fixture.owner, 'one');
      await seen(messages, 1);
      const closed = once(manager, WebSocketShardEvents.Closed);
      // An unknown opcode: the server closes with 4001.
      await manager.send(0, { op: 99, d: null } as never);
      expect((await closed)[0]).toBe(4001);
      await say(fixture, fixture.owner, 'two');
      await expect.poll(() => count.resumed).toBe(1);
      await say(fixture, fixture.owner, 'three');
      await seen(messages, 3);
      expect(messages.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
      expect([count, errors]).toEqual([{ ready: 1, resumed: 1 }, []]);
    });

    it('stops when its token is reset', async () => {
      const { bot, manager, errors } = await start();
      const closed = once(manager, WebSocketShardEvents.Closed);
      const path = `/oauth2/applications/${bot.id}/bot/reset-token`;
      const reset = await bot.owner.api.post(path, { password: bot.owner.password });
      expect(reset.status, reset.text).toBe(200);
      expect((await closed)[0]).toBe(4004);
      await expect
        .poll(() => errors.map((error) => (error as Error).message))
        .toEqual(['Authentication failed']);
    });
  });
}
