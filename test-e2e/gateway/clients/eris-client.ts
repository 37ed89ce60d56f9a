import { Agent } from 'node:https';
import { Client, Constants } from 'eris';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bits } from '../../chat/permission-bits.ts';
import { type Bot, installBot, newBot } from '../../support/bots.ts';
import { newGuild, say } from '../../support/guilds.ts';
import type { GuildFixture } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { openTlsFront, type TlsFront } from '../support/tls-front.ts';

interface Running {
  readonly bot: Bot;
  readonly fixture: GuildFixture;
  readonly client: Client;
  readonly contents: string[];
  readonly count: { ready: number; resumed: number };
  readonly errors: Error[];
}

/** eris supports HTTPS only, so it connects through a TLS proxy. */
export function erisClient(stack: TestStack): void {
  let front: TlsFront;
  let opened: Client[] = [];
  beforeAll(async () => {
    front = await openTlsFront(stack.url);
    // eris has no option for the Gateway version.
    Object.assign(Constants, { GATEWAY_VERSION: 1 });
  });
  afterEach(() => {
    for (const client of opened) client.disconnect({ reconnect: false });
    opened = [];
  });
  afterAll(() => front.close());

  async function start(): Promise<Running> {
    const bot = await newBot(stack.api);
    const fixture = await newGuild(stack.api);
    await installBot(fixture.owner, fixture.guild, bot, bits('SEND_MESSAGES'));
    const { port, ca } = front;
    const client = new Client(`Bot ${bot.token}`, {
      intents: ['all'],
      rest: { domain: 'localhost', baseURL: '/api/v1', agent: new Agent({ port, ca }) },
    });
    opened.push(client);
    const running: Running = {
      bot,
      fixture,
      client,
      contents: [],
      count: { ready: 0, resumed: 0 },
      errors: [],
    };
    client.on('messageCreate', ({ content }) => void running.contents.push(content));
    client.on('shardReady', () => {
      running.count.ready += 1;
    });
    client.on('shardResume', () => {
      running.count.resumed += 1;
    });
    client.on('error', (error) => void running.errors.push(error));
    const ready = new Promise<void>((resolve, reject) => {
      client.once('ready', resolve);
      client.once('error', reject);
    });
    await client.connect();
    await ready;
    return running;
  }

  describe('eris', () => {
    it('has its guild in the cache, receives messages, and replies', async () => {
      const { bot, fixture, client, contents, errors } = await start();
      expect(client.user).toMatchObject({ id: bot.id, bot: true });
      const guild = client.guilds.get(fixture.guild.id);
      expect([guild?.name, guild?.ownerID]).toEqual([fixture.guild.name, fixture.owner.user.id]);
      expect(guild?.channels.map(({ name }) => name)).toEqual(['general']);
      client.on('messageCreate', ({ content, channel }) => {
        if (content === 'ping')
          void client.createMessage(channel.id, 'pong').catch((error) => errors.push(error));
      });
      await say(fixture, fixture.owner, 'ping');
      await expect.poll(() => contents).toEqual(['ping', 'pong']);
      expect(errors).toEqual([]);
    });

    it('resumes on its own without losing a message', async () => {
      const { fixture, client, contents, count, errors } = await start();
      await say(fixture, fixture.owner, 'one');
      await expect.poll(() => contents).toEqual(['one']);
      client.shards.get(0)?.disconnect({ reconnect: 'auto' });
      await say(fixture, fixture.owner, 'two');
      await expect.poll(() => contents).toEqual(['one', 'two']);
      await expect.poll(() => count).toEqual({ ready: 1, resumed: 1 });
      expect(errors).toEqual([]);
    });
  });
}
