import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../../support/api.ts';
import { newBot } from '../../support/bots.ts';
import { expectOk } from '../../support/expect-status.ts';
import { newcomer } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { CLOSE, OP } from '../support/codes.ts';
import { identify } from '../support/session.ts';
import type { Gateway } from '../support/use-gateway.ts';

const HELLO = { op: OP.HELLO, d: { heartbeat_interval: 41_250 }, s: null, t: null };
const ACK = { op: OP.ACK, d: null, s: null, t: null };

/** A connection before Identify. */
export function hello(stack: TestStack, gateway: Gateway): void {
  describe('the Gateway URL', () => {
    it('is public; bots get it with their session limits', async () => {
      const { url } = await expectOk<{ url: string }>(stack.api.get('/gateway'));
      expect(url).toMatch(/^wss?:\/\/[^?]+$/);
      const bot = await newBot(stack.api);
      expect(await expectOk(bot.api.get('/gateway/bot'))).toEqual({
        url,
        shards: 1,
        session_start_limit: {
          total: 1000,
          remaining: expect.any(Number),
          reset_after: expect.any(Number),
          max_concurrency: 1,
        },
      });
    });
  });

  describe('a connection', () => {
    it.each([
      '',
      '?v=1',
      '?encoding=json',
      '?v=1&encoding=json',
      '?encoding=json&v=1&other=x',
      // From clients that append a slash to the URL.
      '/?v=1&encoding=json',
    ])('with %j starts with Hello', async (query) => {
      const connection = await gateway.connect(query);
      expect(connection.frames).toEqual([HELLO]);
      const person = await newcomer(stack.api);
      expect((await identify(connection, person.token)).ready.v).toBe(1);
    });

    it.each([
      ['?v=2', CLOSE.INVALID_VERSION],
      ['?v=0&encoding=json', CLOSE.INVALID_VERSION],
      ['?v=10&encoding=json', CLOSE.INVALID_VERSION],
      ['?v=one', CLOSE.INVALID_VERSION],
      ['?v=-1', CLOSE.INVALID_VERSION],
      ['?encoding=etf', CLOSE.DECODE_ERROR],
      ['?v=1&encoding=msgpack', CLOSE.DECODE_ERROR],
    ])('with %s is closed with %i', async (query, code) => {
      const { code: seen } = await gateway.connectRefused(query);
      expect(seen).toBe(code);
    });

    it('answers Heartbeats before and after Identify, and a ping', async () => {
      const connection = await gateway.connect();
      connection.send({ op: OP.HEARTBEAT, d: null });
      expect(await connection.frame(OP.ACK)).toEqual(ACK);
      const { token } = await newcomer(stack.api);
      const session = await identify(connection, token);
      const from = connection.frames.length;
      connection.send({ op: OP.HEARTBEAT, d: session.seq() });
      expect(await connection.frame(OP.ACK, from)).toEqual(ACK);
      await connection.ping();
    });

    it('ignores unknown members', async () => {
      const connection = await gateway.connect();
      connection.send({ op: OP.HEARTBEAT, d: null, s: 7, t: 'X', trace: { a: [1] } });
      await connection.frame(OP.ACK);
      const { token } = await newcomer(stack.api);
      const d = { token, large_threshold: 250, presence: { status: 'idle', activities: [] }, x: [{}] };
      connection.send({ op: OP.IDENTIFY, d, s: null, t: null, more: 1 });
      await connection.until('READY', () => connection.dispatches.find(({ t }) => t === 'READY'));
    });

    it('is not compressed, even if the client offers it', async () => {
      const connection = await gateway.connect('?v=1&encoding=json&compress=zlib-stream', { deflate: true });
      expect(connection.headers['sec-websocket-extensions']).toBeUndefined();
      const { token } = await newcomer(stack.api);
      await identify(connection, token, { compress: true });
    });

    it('counts s per session, without Heartbeats', async () => {
      const person = await newcomer(withGlobalRetry(stack.api));
      const [one, two] = [await gateway.identify(person.token), await gateway.identify(person.token)];
      expect(one.session_id).not.toBe(two.session_id);
      await expectOk(person.api.post('/guilds', { name: 'One' }));
      await one.event('GUILD_CREATE');
      await two.event('GUILD_CREATE');
      const three = await gateway.identify(person.token);
      await expectOk(person.api.post('/guilds', { name: 'Two' }));
      const fits = ({ name }: { name: string }) => name === 'Two';
      for (const session of [one, two, three]) await session.event('GUILD_CREATE', fits);
      expect([one.seq(), two.seq(), three.seq()]).toEqual([3, 3, 2]);
    });
  });
}
