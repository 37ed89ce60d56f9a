import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/start.ts';
import { type Backend, type EnvoyProcess, envoyIsMissing, runEnvoy, startBackend } from './real-envoy.ts';

const EXAMPLE = fileURLToPath(new URL('../../../../examples/envoy/', import.meta.url));

describe.skipIf(envoyIsMissing)('examples/envoy', () => {
  let now_us = 1_000_000;
  let ratelimit: Running;
  let backend: Backend;
  let envoy: EnvoyProcess;

  beforeAll(async () => {
    const config = readConfig({
      LISTEN: '127.0.0.1:0',
      LOG_LEVEL: 'silent',
      RATELIMIT_DESCRIPTORS: `${EXAMPLE}limits.yaml`,
      RATELIMIT_HEADERS: 'ietf',
    });
    ratelimit = await start(config, { log: silentLogger, now_us: () => now_us });
    backend = await startBackend();
    const port = await freePort();
    const ports = { 8000: port, 8081: portOf(ratelimit.address), 9000: portOf(backend.address) };
    const file = await readFile(`${EXAMPLE}envoy.yaml`, 'utf8');
    envoy = await runEnvoy(
      Object.entries(ports).reduce(
        (text, [from, to]) => text.replace(`port_value: ${from} }`, `port_value: ${to} }`),
        file,
      ),
      port,
    );
    now_us += 60_000_000; // requests until Envoy answered were charged
  });

  afterAll(async () => {
    await envoy?.close();
    backend?.close();
    await ratelimit?.close();
  });

  async function search(api_key: string): Promise<number> {
    now_us += 50_000; // one request of an address drains
    const response = await fetch(`${envoy.url}/search`, { headers: { 'x-api-key': api_key } });
    await response.text();
    return response.status;
  }

  test('an API key has five searches at once, and one more every 12 s', async () => {
    const before = backend.requests();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push(await search('mine'));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(backend.requests() - before).toBe(5);
    now_us += 12_000_000;
    expect([await search('mine'), await search('mine')]).toEqual([200, 429]);
  });

  test('the key “trial” has two, and each other key its own five', async () => {
    expect([await search('trial'), await search('trial'), await search('trial')]).toEqual([200, 200, 429]);
    for (let n = 0; n < 5; n++) expect(await search('other')).toBe(200);
    expect(await search('other')).toBe(429);
  });

  test('an address has 20 requests at once, on every path, and the answers have headers of its limit', async () => {
    now_us += 60_000_000;
    const before = backend.requests();
    const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => fetch(`${envoy.url}/${n}`)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(backend.requests() - before).toBe(20);
    for (const response of responses) {
      expect(response.headers.get('ratelimit-policy')).toContain('q=20');
      expect(response.headers.has('ratelimit')).toBe(true);
    }
  });
});

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}
