import {
  noRedisProgram,
  type RedisServer,
  type RedisServerOptions,
  redisServer,
} from '@gatehouse/dev-env/redis/redis-server';
import { createLogger, silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { probe, UnsuitableRedis } from '../../src/redis/probe.ts';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';

/** These are about Redis’s own answers, however busy the machine. */
const PATIENT_MS = 5_000;

describe.skipIf(noRedisProgram())('the probe at start', () => {
  const servers: RedisServer[] = [];
  const stores: RedisStore[] = [];

  afterEach(async () => {
    for (const store of stores.splice(0)) store.close();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function start(...config: string[]): Promise<RedisServer> {
    return launch({ config });
  }

  async function startNode(...config: string[]): Promise<RedisServer> {
    return launch({ cluster: true, config });
  }

  async function launch(options: RedisServerOptions): Promise<RedisServer> {
    const server = await redisServer(options);
    servers.push(server);
    return server;
  }

  async function open(url: string): Promise<RedisStore> {
    const store = await openRedisStore({ url, log: silentLogger, timeout_ms: PATIENT_MS });
    stores.push(store);
    return store;
  }

  async function refusal(url: string): Promise<string> {
    const error: unknown = await open(url).then(
      () => 'opened',
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(UnsuitableRedis);
    return error instanceof Error ? error.message : '';
  }

  test('accepts a default server, and leaves no keys', async () => {
    const server = await start();
    await open(server.url);
    await expect.poll(() => server.client.dbsize()).toBe(0);
  });

  test('refuses a node of a cluster that is given as a server', async () => {
    const node = await startNode('cluster-require-full-coverage no');
    await node.client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    expect(await refusal(node.url)).toContain('use redis+cluster://');
  });

  test('refuses a server that is given as a cluster', async () => {
    const server = await start();
    expect(await refusal(server.url.replace('redis:', 'redis+cluster:'))).toContain('use redis://');
  });

  test('refuses a read-only replica', async () => {
    const primary = await start('repl-diskless-sync-delay 0');
    const replica = await start(`replicaof 127.0.0.1 ${primary.port}`);
    await expect.poll(() => replica.client.info('replication')).toContain('master_link_status:up');
    expect(await refusal(replica.url)).toContain('name the primary');
  });

  test('refuses a server before version 6.2', async () => {
    const { client } = await start();
    const info = await client.info();
    const admitsAll = async () => undefined;
    const probeAs = async (version: string) => {
      vi.spyOn(client, 'info').mockResolvedValue(
        info.replace(/redis_version:.*/, `redis_version:${version}`),
      );
      await probe({ client, layout: 'single', decide: admitsAll, log: silentLogger });
    };
    await expect(probeAs('5.0.14')).rejects.toThrow('version 5.0.14; version 6.2 or later is required');
    await expect(probeAs('6.0.16')).rejects.toThrow('version 6.0.16; version 6.2 or later is required');
    // The version is accepted, so the scratch buckets are charged, which must be denied once.
    for (const version of ['6.2.0', '7.0.15', '8.2.1']) {
      await expect(probeAs(version)).rejects.toThrow('does not run scripts as Redis does');
    }
  });

  test('refuses a wrong password, without repeating it', async () => {
    const server = await start();
    await server.client.config('SET', 'requirepass', 'right-password');
    const message = await refusal(server.url.replace('//', '//:wrong-password@'));
    expect(message).toContain('refuses its user or password');
    expect(message).not.toContain('wrong-password');
    expect(await refusal(server.url)).toContain('refuses its user or password');
    await open(server.url.replace('//', '//:right-password@'));
  });

  test('refuses a user that may not run scripts', async () => {
    const server = await start();
    await server.client.acl('SETUSER', 'limited', 'on', '>password', '~rl:*', '+info', '+ping', '+client');
    expect(await refusal(server.url.replace('//', '//limited:password@'))).toContain('+evalsha +eval');
  });

  /** The rights that the refusal lists. */
  const rightsIn = (message: string) => message.slice(message.indexOf('~rl:*')).split(' ');

  async function usesIt(url: string): Promise<void> {
    const store = await open(url);
    const bucket = { rule: { name: 'acl', index: 0, ...rate(1, 60) }, key: 'account:acl' };
    expect(await store.decide([[[{ ...bucket, cost: 1 }]]])).toEqual([undefined]);
    expect(await store.read([bucket])).toMatchObject([{ retry_after_us: expect.any(Number) }]);
    await store.reset([bucket]);
    await store.ping();
  }

  test('accepts a user with exactly the listed rights, with a database number too', async () => {
    const server = await start();
    await server.client.acl('SETUSER', 'limited', 'on', '>password', '~rl:*', '+info', '+ping');
    const url = server.url.replace('//', '//limited:password@');
    const rights = rightsIn(await refusal(url));
    expect(await refusal(`${url}/1`)).toContain(rights.join(' '));
    await server.client.acl('SETUSER', 'limited', ...rights);
    await usesIt(url);
    await usesIt(`${url}/1`);
  });

  test('accepts such a user of a Cluster', async () => {
    const server = await startNode('cluster-announce-ip 127.0.0.1');
    await server.client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383').catch(() => addSlots(server));
    await server.client.acl('SETUSER', 'limited', 'on', '>password', '~rl:*', '+info', '+ping');
    const url = server.url.replace('redis://', 'redis+cluster://limited:password@');
    await expect.poll(() => server.client.cluster('INFO')).toContain('cluster_state:ok');
    const rights = rightsIn(await refusal(url));
    await server.client.acl('SETUSER', 'limited', ...rights);
    await usesIt(url);
  });

  /** Of a server before version 7. */
  async function addSlots({ client }: RedisServer): Promise<void> {
    await client.call('CLUSTER', 'ADDSLOTS', ...Array.from({ length: 16_384 }, (_, slot) => String(slot)));
  }

  test('a server without memory is named in the log, at the start and later, and used once it has some', async () => {
    const server = await start('maxmemory-policy noeviction');
    await server.client.config('SET', 'maxmemory', '1');
    const lines: string[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
    const store = await openRedisStore({ url: server.url, log, timeout_ms: PATIENT_MS });
    stores.push(store);
    const named = () => lines.filter((line) => line.includes('it has no memory left (OOM)')).length;
    expect(named()).toBeGreaterThan(0);
    const rule = { name: 'oom', index: 0, ...rate(1, 60) };
    let key = 0;
    const decide = () => store.decide([[[{ rule, key: `account:${++key}`, cost: 1 }]]]);
    await expect(decide()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });

    await server.client.config('SET', 'maxmemory', '0');
    await expect.poll(() => decide().catch(() => 'refused')).toEqual([undefined]);
    const before = named();
    await server.client.config('SET', 'maxmemory', '1');
    await expect.poll(() => decide().then(named, named)).toBeGreaterThan(before);
  });

  test('a primary that becomes a replica is named in the log', async () => {
    const [server, primary] = [await start(), await start()];
    const lines: string[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
    const store = await openRedisStore({ url: server.url, log, timeout_ms: PATIENT_MS });
    stores.push(store);
    await server.client.replicaof('127.0.0.1', primary.port);
    const bucket = { rule: { name: 'replica', index: 0, ...rate(1, 60) }, key: 'account:replica' };
    await expect
      .poll(async () => {
        await store.decide([[[{ ...bucket, cost: 1 }]]]).catch(() => undefined);
        return lines.join('');
      })
      .toContain('read-only replica (READONLY)');
  });

  test('logs why it does not use an unsuitable server that answers later', async () => {
    const server = await startNode();
    await server.kill();
    const lines: string[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
    const store = await openRedisStore({ url: server.url, log, timeout_ms: PATIENT_MS });
    stores.push(store);
    await server.start();
    await expect.poll(() => lines.join('')).toContain('use redis+cluster://');
    await expect(store.ping()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  });
});
