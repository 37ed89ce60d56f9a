import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import { Gateway, type GatewayEvent, type GatewayOptions } from '@gatehouse/sdk/gateway';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket as PausableSocket } from 'ws';
import { installBot, newBot } from '../../support/bots.ts';
import { expectNoContent } from '../../support/expect-status.ts';
import { newGuild, say } from '../../support/guilds.ts';
import type { GuildFixture } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { OP } from '../support/codes.ts';

/** The SDK's Gateway client with Node's WebSocket, and with the package ws. */
export function sdkClient(stack: TestStack): void {
  const opened: Gateway[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((gateway) => gateway.close().catch(() => undefined)));
  });
  const open = (options: Partial<GatewayOptions>): Gateway => {
    const gateway = new Gateway({ baseUrl: stack.url, ...options });
    opened.push(gateway);
    return gateway;
  };

  describe('@gatehouse/sdk/gateway', () => {
    it('receives typed events of a bot, and closes', async () => {
      const bot = await newBot(stack.api);
      const fixture = await newGuild(stack.api);
      await installBot(fixture.owner, fixture.guild, bot);
      const gateway = open({ bot: bot.token });
      const seen: string[] = [];
      for await (const event of gateway) {
        if (event.t === 'READY') expect(event.d.application?.id).toBe(bot.id);
        if (event.t === 'GUILD_CREATE') await say(fixture, fixture.owner, event.d.channels[0]?.name ?? '');
        seen.push(event.t === 'MESSAGE_CREATE' ? event.d.content : event.t);
        if (event.t === 'MESSAGE_CREATE') break;
      }
      expect(seen).toEqual(['READY', 'GUILD_CREATE', 'general']);
      await gateway.closed;
    });

    it('resumes after cut connections, with every message once', async () => {
      const fixture = await newGuild(stack.api);
      const proxy = await startTcpProxy();
      try {
        const timing = { firstDelayMs: 50, longestDelayMs: 50 };
        const gateway = open({ session: fixture.owner.token, WebSocket: through(proxy), timing });
        const events = eventsOf(gateway);
        await events.until(({ t }) => t === 'READY');
        const sent: string[] = [];
        for (let cut = 0; cut < 3; cut++) {
          sent.push(...(await sayMany(fixture, 3, `before cut ${cut}`)));
          proxy.cut();
          sent.push(...(await sayMany(fixture, 3, `after cut ${cut}`)));
          proxy.restore();
          await events.until(({ t }) => t === 'RESUMED');
        }
        sent.push(...(await sayMany(fixture, 1, 'last')));
        await events.until(isMessage('last 1'));
        expect(events.contents()).toEqual(sent);
        expect(events.count('READY')).toBe(1);
      } finally {
        proxy.close();
      }
    });

    it('identifies again when its session is unknown', async () => {
      const fixture = await newGuild(stack.api);
      const gateway = open({ session: fixture.owner.token, WebSocket: Forgetful });
      const events = eventsOf(gateway);
      await events.until(({ t }) => t === 'READY');
      Forgetful.last?.close(3_000);
      await events.until(({ t }, index) => t === 'READY' && index > 0);
      await say(fixture, fixture.owner, 'hello');
      await events.until(isMessage('hello'));
      expect(events.names()).toEqual(['READY', 'READY', 'MESSAGE_CREATE']);
    });

    it.each([
      ['Node’s WebSocket', undefined],
      ['ws', PausableSocket],
    ])('a slow consumer with %s gets every message once', async (_name, WebSocket) => {
      const fixture = await newGuild(stack.api);
      const gateway = open({
        session: fixture.owner.token,
        WebSocket,
        maxQueuedEvents: 4,
        timing: { firstDelayMs: 1 },
      });
      const iterator = gateway[Symbol.asyncIterator]();
      expect((await iterator.next()).value?.t).toBe('READY');
      const sent = await sayMany(fixture, 20, 'message');
      const received: string[] = [];
      while (received.length < sent.length) {
        const { value } = await iterator.next();
        if (value?.t === 'MESSAGE_CREATE') received.push(value.d.content);
        else expect(value?.t).toBe('RESUMED');
      }
      expect(received).toEqual(sent);
    });

    it('ends with an error when its token is revoked', async () => {
      const { owner } = await newGuild(stack.api);
      const gateway = open({ session: owner.token });
      gateway.on('READY', () => expectNoContent(owner.api.post('/auth/logout')));
      const failed = await gateway.closed.catch((error: unknown) => error);
      expect(failed).toMatchObject({ name: 'GatewayClosedError', code: 4004 });
    });
  });
}

/** Node's WebSocket through a proxy. */
function through(proxy: { through(url: string): string }) {
  return class extends WebSocket {
    constructor(url: string) {
      super(proxy.through(url));
    }
  };
}

/** Resumes a session that does not exist. */
class Forgetful extends WebSocket {
  static last: Forgetful | undefined;

  constructor(url: string) {
    super(url);
    Forgetful.last = this;
  }

  override send(text: string): void {
    const frame = JSON.parse(text);
    if (frame.op === OP.RESUME) frame.d.session_id = 'unknown';
    super.send(JSON.stringify(frame));
  }
}

function isMessage(content: string) {
  return (event: GatewayEvent) => event.t === 'MESSAGE_CREATE' && event.d.content === content;
}

async function sayMany(fixture: GuildFixture, count: number, text: string): Promise<string[]> {
  const contents = Array.from({ length: count }, (_, index) => `${text} ${index + 1}`);
  for (const content of contents) await say(fixture, fixture.owner, content);
  return contents;
}

/** The events that a Gateway has delivered. */
function eventsOf(gateway: Gateway) {
  const iterator = gateway[Symbol.asyncIterator]();
  const received: GatewayEvent[] = [];
  return {
    until: async (fits: (event: GatewayEvent, index: number) => boolean): Promise<void> => {
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) throw new Error('the session has ended');
        if (fits(value, received.push(value) - 1)) return;
      }
    },
    names: () => received.map(({ t }) => t),
    count: (name: string) => received.filter(({ t }) => t === name).length,
    contents: () => received.flatMap((event) => (event.t === 'MESSAGE_CREATE' ? event.d.content : [])),
  };
}
