import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis-server';
import { createLogger, silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import { afterEach, describe, expect, test } from 'vitest';
import { UnservableRedis } from '../../src/redis/probe.ts';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';

describe.skipIf(noRedisProgram())('the probe at start', () => {
  const servers: RedisServer[] = [];
  const stores: RedisStore[] = [];

  afterEach(async () => {
    for (const store of stores.splice(0)) store.close();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function start(...config: string[]): Promise<RedisServer> {
    const server = await redisServer({ config });
    servers.push(server);
    return server;
  }

  async function open(url: string): Promise<RedisStore> {
    const store = await openRedisStore({ url, log: silentLogger });
    stores.push(store);
    return store;
  }

  async function refusal(url: string): Promise<string> {
    const error: unknown = await open(url).then(
      () => 'opened',
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(UnservableRedis);
    return error instanceof Error ? error.message : '';
  }

  test('takes a server as it comes, and leaves nothing behind', async () => {
    const server = await start();
    await open(server.url);
    await expect.poll(() => server.client.dbsize()).toBe(0);
  });

  test('refuses a node of a cluster that is given as a server', async () => {
    const node = await start('cluster-enabled yes', 'cluster-require-full-coverage no');
    await node.client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    expect(await refusal(node.url)).toContain('say redis+cluster://');
  });

  test('refuses a server that is given as a cluster', async () => {
    const server = await start();
    expect(await refusal(server.url.replace('redis:', 'redis+cluster:'))).toContain('say redis://');
  });

  test('refuses a read-only replica', async () => {
    const primary = await start('repl-diskless-sync-delay 0');
    const replica = await start(`replicaof 127.0.0.1 ${primary.port}`);
    await expect.poll(() => replica.client.info('replication')).toContain('master_link_status:up');
    expect(await refusal(replica.url)).toContain('name the primary');
  });

  test('refuses a wrong password, and never says it', async () => {
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

  test('takes a user that may do just what is needed', async () => {
    const server = await start();
    const commands = '+evalsha +eval +mget +set +del +time +info +ping'.split(' ');
    await server.client.acl('SETUSER', 'limited', 'on', '>password', '~rl:*', ...commands);
    const store = await open(server.url.replace('//', '//limited:password@'));
    const bucket = { rule: { name: 'acl', index: 0, ...rate(1, 60) }, key: 'account:acl' };
    expect(await store.decide([[[{ ...bucket, cost: 1 }]]])).toEqual([undefined]);
    expect(await store.read([bucket])).toMatchObject([{ retry_after_us: expect.any(Number) }]);
    await store.reset([bucket]);
    await store.ping();
  });

  test('says why it does not use a server that comes later and cannot serve', async () => {
    const server = await start('cluster-enabled yes');
    await server.kill();
    const lines: string[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
    const store = await openRedisStore({ url: server.url, log });
    stores.push(store);
    await server.start();
    await expect.poll(() => lines.join('')).toContain('say redis+cluster://');
    await expect(store.ping()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  });
});
