import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gatehouse/dev-env/free-port';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/redis/redis-store.ts';

const noOpenssl = spawnSync('openssl', ['version']).status !== 0;
if (noOpenssl) console.warn('SKIPPED: these tests need openssl on PATH, to make certificates');

describe.skipIf(noOpenssl || noRedisProgram())('the Redis store over TLS', () => {
  let dir: string;
  let port: number;
  let server: RedisServer;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'));
    const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ed25519',
      '-nodes',
      '-days',
      '2',
      ...files,
      ...names,
    ]);
    if (made.status !== 0) throw new Error(String(made.stderr));
    port = await freePort();
    server = await redisServer({
      config: [
        `tls-port ${port}`,
        `tls-cert-file ${join(dir, 'cert.pem')}`,
        `tls-key-file ${join(dir, 'key.pem')}`,
        'tls-auth-clients no',
      ],
    });
  });
  afterAll(async () => {
    await server?.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('charges through a server whose authority the URL names', async () => {
    const url = `rediss://127.0.0.1:${port}?ca_file=${join(dir, 'cert.pem')}`;
    const store = await openRedisStore({ url, log: silentLogger, timeout_ms: 1000 });
    try {
      const charge = { rule: { name: 'tls', index: 0, ...rate(1, 60) }, key: 'account:tls', cost: 1 };
      const decisions = await store.decide([[[charge]], [[charge]]]);
      expect(decisions).toMatchObject([undefined, { rule: { name: 'tls' } }]);
    } finally {
      store.close();
    }
  });

  test('charges nothing through an untrusted server', async () => {
    const store = await openRedisStore({ url: `rediss://127.0.0.1:${port}`, log: silentLogger });
    try {
      await expect(store.ping()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    } finally {
      store.close();
    }
  });
});
