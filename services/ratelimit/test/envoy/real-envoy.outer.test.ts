import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/start.ts';
import { envoyIsMissing, type RealEnvoy, startEnvoy } from './real-envoy.ts';

const CONFIG = readConfig({ LISTEN: '127.0.0.1:0', LOG_LEVEL: 'silent' });

describe.skipIf(envoyIsMissing)('Envoy itself', () => {
  let now_us = 1_000_000;
  let service: Running;
  let envoy: RealEnvoy;

  beforeAll(async () => {
    service = await start(CONFIG, { log: silentLogger, now_us: () => now_us });
    const bucket = 'webhook:execute';
    envoy = await startEnvoy(service.address, {
      one: { bucket },
      peek: { bucket, hits_addend: { number: 0 } },
      twenty: { bucket, hits_addend: { number: 20 } },
      refund: { bucket, hits_addend: { number: 2, is_negative_hits: true } },
      wrong: { bucket: 'no:such' },
      most: { bucket, hits_addend: { number: 1_000_000_000 } },
    });
  });

  afterAll(async () => {
    await envoy.close();
    await service.close();
  });

  const statusOf = async (route: string, webhook: string) => {
    const response = await envoy.get(route, webhook);
    await response.text();
    return response.status;
  };

  test('admits exactly the limit of many requests at once, then one a second', async () => {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf('one', 'webhook:1')));
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    now_us += 1_000_000;
    expect([await statusOf('one', 'webhook:1'), await statusOf('one', 'webhook:1')]).toEqual([200, 429]);
    expect(await statusOf('one', 'webhook:2')).toBe(200);
  });

  test('sends its client the edge’s 429', async () => {
    for (let i = 0; i < 3; i++) expect(await statusOf('twenty', 'webhook:3')).toBe(200);
    const response = await envoy.get('one', 'webhook:3');
    expect(response.status).toBe(429);
    expect(await response.text()).toBe(
      '{"error":"429 Too Many Requests","code":"RATE_LIMITED",' +
        '"message":"You are being rate limited. Try again in 1 second.","global":false,"retry_after":1}',
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '1',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^[0-9]{10}$/),
      'x-ratelimit-reset-after': '60.000',
      'x-ratelimit-bucket': '0c6dc13db6a0e693',
    });
  });

  test('peeks with 0 hits, charges many, and refunds negative ones', async () => {
    for (let i = 0; i < 3; i++) {
      expect(await statusOf('peek', 'webhook:4')).toBe(200);
      expect(await statusOf('twenty', 'webhook:4')).toBe(200);
    }
    expect(await statusOf('peek', 'webhook:4')).toBe(429);
    expect(await statusOf('refund', 'webhook:4')).toBe(200);
    expect([await statusOf('one', 'webhook:4'), await statusOf('one', 'webhook:4')]).toEqual([200, 200]);
    expect(await statusOf('one', 'webhook:4')).toBe(429);
  });

  test('denies hits above the limit', async () => {
    expect(await statusOf('most', 'webhook:6')).toBe(429);
    expect(await statusOf('one', 'webhook:6')).toBe(200);
  });

  test('gets an error for an unknown bucket, and fails as configured', async () => {
    expect(await statusOf('wrong', 'webhook:5')).toBe(500);
  });
});
