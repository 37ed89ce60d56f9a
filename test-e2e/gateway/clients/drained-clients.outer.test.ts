import { Agent } from 'node:https';
import { Client, GatewayDispatchEvents } from '@discordjs/core';
import { REST } from '@discordjs/rest';
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { freePort } from '@gatehouse/dev-env/free-port';
import { Gateway } from '@gatehouse/sdk/gateway';
import { Constants, Client as ErisClient } from 'eris';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installBot, newBot } from '../../support/bots.ts';
import { newGuild, say } from '../../support/guilds.ts';
import type { GuildFixture } from '../../support/people.ts';
import { UNLIMITED, useStack } from '../../support/stack.ts';
import { type Balancer, openBalancer } from '../support/balancer.ts';
import { useReplicas } from '../support/replicas.ts';
import { openTlsFront } from '../support/tls-front.ts';

/** Clients resume on their own when their realtime replica stops, and miss no event. */
const port = await freePort();
const GATEWAY_URL = `ws://127.0.0.1:${port}/gateway`;
const stack = useStack({ ...UNLIMITED, GATEWAY_URL });
const startReplicas = useReplicas(stack, { GATEWAY_URL });

let balancer: Balancer;
beforeAll(async () => {
  balancer = await openBalancer(port);
});
afterAll(() => balancer.close());

interface StartedClient {
  readonly contents: string[];
  readonly count: { ready: number; resumed: number };
  readonly close: () => Promise<void>;
}

/** Stops the client's replica while messages are posted. The client must receive each of them once, in one session. */
async function expectNothingMissed(fixture: GuildFixture, open: () => Promise<StartedClient>): Promise<void> {
  const [one, two] = await startReplicas(2);
  if (one === undefined || two === undefined) throw new Error('expected two replicas');
  const [first, second] = [one, two].map(({ running }) => running.gateway_address);
  balancer.to([first ?? '', second ?? '']);
  const client = await open();
  try {
    const sent: string[] = [];
    const write = async (count: number) => {
      for (let left = count; left > 0; left--) {
        const content = `message ${sent.length + 1}`;
        await say(fixture, fixture.owner, content);
        sent.push(content);
      }
    };
    await write(3);
    await expect.poll(() => client.contents).toEqual(sent);
    await Promise.all([one.stop(), write(20)]);
    await expect.poll(() => client.count).toEqual({ ready: 1, resumed: 1 });
    await write(3);
    await expect.poll(() => client.contents).toEqual(sent);
  } finally {
    await client.close();
  }
}

async function guildWithBot() {
  const bot = await newBot(stack.api);
  const fixture = await newGuild(stack.api);
  await installBot(fixture.owner, fixture.guild, bot);
  return { bot, fixture };
}

describe('a client whose replica stops', () => {
  it('@discordjs/ws resumes at the other replica', async () => {
    const { bot, fixture } = await guildWithBot();
    await expectNothingMissed(fixture, async () => {
      const contents: string[] = [];
      const count = { ready: 0, resumed: 0 };
      const rest = new REST({ api: `${stack.url}/api`, version: '1' }).setToken(bot.token);
      const manager = new WebSocketManager({ token: bot.token, intents: 0, rest, version: '1' });
      const client = new Client({ rest, gateway: manager });
      client.on(GatewayDispatchEvents.MessageCreate, ({ data }) => {
        contents.push(data.content);
      });
      manager.on(WebSocketShardEvents.Ready, () => {
        count.ready += 1;
      });
      manager.on(WebSocketShardEvents.Resumed, () => {
        count.resumed += 1;
      });
      manager.on(WebSocketShardEvents.Error, () => undefined);
      await manager.connect();
      return { contents, count, close: async () => manager.destroy() };
    });
  });

  it('eris resumes at the other replica', async () => {
    const { bot, fixture } = await guildWithBot();
    const front = await openTlsFront(stack.url);
    // eris has no option for the Gateway version.
    Object.assign(Constants, { GATEWAY_VERSION: 1 });
    await expectNothingMissed(fixture, async () => {
      const contents: string[] = [];
      const count = { ready: 0, resumed: 0 };
      const client = new ErisClient(`Bot ${bot.token}`, {
        intents: ['all'],
        rest: {
          domain: 'localhost',
          baseURL: '/api/v1',
          agent: new Agent({ port: front.port, ca: front.ca }),
        },
      });
      client.on('messageCreate', ({ content }) => {
        contents.push(content);
      });
      client.on('shardReady', () => {
        count.ready += 1;
      });
      client.on('shardResume', () => {
        count.resumed += 1;
      });
      client.on('error', () => undefined);
      const ready = new Promise<void>((resolve) => client.once('ready', resolve));
      await client.connect();
      await ready;
      return {
        contents,
        count,
        close: async () => {
          client.disconnect({ reconnect: false });
          await front.close();
        },
      };
    });
  });

  it('@gatehouse/sdk/gateway resumes at the other replica', async () => {
    const { bot, fixture } = await guildWithBot();
    await expectNothingMissed(fixture, async () => {
      const contents: string[] = [];
      const count = { ready: 0, resumed: 0 };
      const gateway = new Gateway({ baseUrl: stack.url, bot: bot.token });
      gateway.on('MESSAGE_CREATE', ({ content }) => contents.push(content));
      gateway.on('RESUMED', () => {
        count.resumed += 1;
      });
      await new Promise<void>((resolve) => {
        gateway.on('READY', () => {
          count.ready += 1;
          resolve();
        });
      });
      return { contents, count, close: () => gateway.close() };
    });
  });
});
