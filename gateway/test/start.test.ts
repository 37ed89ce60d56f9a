import { freePort } from '@gatehouse/dev-env/free-port';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Bucket, FailurePolicy } from '@gatehouse/proto/ratelimit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../src/config.ts';
import { start } from '../src/start.ts';
import { httpClient } from './support/http.ts';
import { type Peers, SESSION, servedBuckets, startPeers } from './support/peers.ts';
import { wire as openWire, request } from './support/wire.ts';

describe('the start', () => {
  let peers: Peers;
  beforeAll(async () => {
    peers = await startPeers();
  });
  afterEach(() => peers.reset());
  afterAll(() => peers.close());

  const config = (): Config => ({
    ...readConfig({ PORT: '0' }),
    addresses: peers.addresses,
    realtime_address: peers.realtime.address,
  });
  const begin = () => start(config(), { log: silentLogger });
  const serves = (change: (buckets: Bucket[]) => Bucket[]) => {
    peers.answers.ratelimit = {
      listBuckets: () => ({ buckets: change(servedBuckets()), revision: 'changed' }),
    };
  };
  const changed = (name: string, change: Partial<Bucket>) => (buckets: Bucket[]) =>
    buckets.map((bucket) => (bucket.name === name ? { ...bucket, ...change } : bucket));

  it.each<[string, (buckets: Bucket[]) => Bucket[], string]>([
    ['a key', changed('guild:read', { key: ['guild', 'account'] }), 'guild:read'],
    ['a key that is longer', changed('guild:create', { key: ['account', 'guild'] }), 'guild:create'],
    ['no such bucket', (all) => all.filter(({ name }) => name !== 'global'), 'global'],
    [
      'several',
      (all) => changed('auth:login', { key: ['email'] })(changed('global', { key: ['ip'] })(all)),
      'global, auth:login',
    ],
  ])('is refused when ratelimit serves %s otherwise, and names it', async (_, change, names) => {
    serves(change);
    await expect(begin()).rejects.toThrow(
      new Error(`ratelimit serves other buckets than this edge was built with: ${names}`),
    );
  });

  it('names all buckets if ratelimit serves none', async () => {
    serves(() => []);
    await expect(begin()).rejects.toThrow(servedBuckets().at(-1)?.name);
  });

  it('accepts limits and policies that an operator has changed', async () => {
    const policy = FailurePolicy.FAILURE_POLICY_CLOSED;
    serves(changed('webhook:execute', { limit: 61, window_seconds: 11, policy }));
    await (await begin()).close();
  });

  it('accepts a ratelimit with more buckets', async () => {
    const policy = FailurePolicy.FAILURE_POLICY_OPEN;
    const added = { name: 'of:tomorrow', limit: 1, window_seconds: 1, key: ['ip'], aliases: [], policy };
    serves((all) => [...all, added]);
    await (await begin()).close();
  });

  it('waits for ratelimit', async () => {
    await peers.stop('ratelimit');
    const starting = begin();
    await peers.restart('ratelimit');
    await (await starting).close();
  });

  it('is refused when the port is taken, and leaves nothing open', async () => {
    const first = await begin();
    const port = Number(first.address.split(':').at(-1));
    await expect(start({ ...config(), port }, { log: silentLogger })).rejects.toThrow(/EADDRINUSE/);
    await first.close();
    await (await start({ ...config(), port }, { log: silentLogger })).close();
  });

  it('listens at the configured address, and returns it', async () => {
    const running = await start({ ...config(), host: 'localhost' }, { log: silentLogger });
    expect(running.address).toMatch(/^(127\.0\.0\.1|\[::1\]|localhost):\d+$/);
    await running.close();
  });

  describe('an edge that is closing', () => {
    const headers = { authorization: SESSION };

    it('with a delay is not ready, keeps answering, and closes each connection with its answer', async () => {
      const drain_delay_ms = 6_000;
      const metrics_listen = `127.0.0.1:${await freePort()}`;
      const running = await start({ ...config(), drain_delay_ms, metrics_listen }, { log: silentLogger });
      const ask = async (path: string) => {
        const connection = await wire(running);
        connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${SESSION}\r\n\r\n`);
        const { status, headers } = await connection.answer();
        if (headers.get('connection') === 'close') await connection.closed();
        else connection.destroy();
        return [status, headers.get('connection')];
      };
      const early = await wire(running);
      const keeping = [200, 'keep-alive'];
      expect(await ask('/api/v1/users/@me')).toEqual(keeping);
      await expect.poll(() => ask('/readyz')).toEqual(keeping);

      const closingAt_ms = performance.now();
      const closed = running.close();
      while (performance.now() - closingAt_ms < drain_delay_ms / 6) {
        expect(await ask('/api/v1/users/@me')).toEqual([200, 'close']);
        expect(await ask('/livez')).toEqual([200, 'close']);
        expect(await ask('/readyz')).toEqual([503, 'close']);
        expect((await fetch(`http://${metrics_listen}/readyz`)).status).toBe(503);
      }
      const { go, connection } = await requestUnderWay(running);
      early.write(request('GET /users/@me', [`Authorization: ${SESSION}`]));
      expect((await early.answer()).status, 'a connection from before').toBe(200);
      await expect.poll(() => refuses(running)).toBe(true);
      expect(performance.now() - closingAt_ms).toBeGreaterThan(drain_delay_ms - 5);
      go();
      expect((await connection.answer()).status).toBe(204);
      await closed;
    });

    /** A request that the chat peer answers when `go` is called. */
    async function requestUnderWay(running: Running) {
      let go = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      peers.answers.chat = { getGuild: () => gate.then(() => ({ guild: null })) };
      const connection = await wire(running);
      connection.write(request('GET /guilds/1', [`Authorization: ${SESSION}`]));
      await expect.poll(() => peers.calls.some(({ rpc }) => rpc === 'getGuild')).toBe(true);
      return { go, connection };
    }

    it('lets a request under way end, then its connection, and takes no new ones', async () => {
      const running = await begin();
      const { go, connection } = await requestUnderWay(running);
      const closing = running.close();
      await expect.poll(() => refuses(running)).toBe(true);
      go();
      expect((await connection.answer()).status).toBe(204);
      await connection.closed();
      await closing;
      expect(await refuses(running)).toBe(true);
    });

    it('answers requests that still arrive on an open connection, and then closes it', async () => {
      const running = await begin();
      const { go, connection } = await requestUnderWay(running);
      const closing = running.close();
      await expect.poll(() => refuses(running)).toBe(true);
      connection.write(request('GET /users/@me', [`Authorization: ${SESSION}`]));
      go();
      expect((await connection.answer()).status).toBe(204);
      const second = await connection.answer();
      expect([second.status, second.headers.get('connection')]).toEqual([200, 'close']);
      await connection.closed();
      await closing;
    });

    it('ends connections that are idle, or were never used', async () => {
      const running = await begin();
      const client = httpClient(hostOf(running).host, hostOf(running).port);
      await client.send('GET /users/@me', { headers });
      const silent = await wire(running);
      const took_ms = processStopwatch();
      await running.close();
      expect(took_ms()).toBeLessThan(2_000);
      await silent.closed();
      client.close();
    });

    it('cuts off remaining requests after 8 s', async () => {
      const running = await begin();
      const connection = await wire(running);
      connection.write(request('POST /auth/login', ['Content-Length: 10']));
      const { go, connection: answered } = await requestUnderWay(running);
      const closing = running.close();
      go();
      expect((await answered.answer()).status).toBe(204);
      const took_ms = processStopwatch();
      await closing;
      expect(took_ms()).toBeLessThan(9_500);
      await connection.closed();
    });
  });
});

function hostOf({ address }: Running): { host: string; port: number } {
  const { hostname, port } = new URL(`http://${address}`);
  return { host: hostname, port: Number(port) };
}

const wire = (running: Running) => openWire(hostOf(running));

async function refuses(running: Running): Promise<boolean> {
  try {
    (await wire(running)).destroy();
    return false;
  } catch {
    return true;
  }
}
