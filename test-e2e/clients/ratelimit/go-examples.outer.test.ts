import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GO_EXAMPLES, go, hasGo } from './go-modules.ts';
import { type RatelimitProcess, startRatelimit } from './ratelimit-process.ts';

const [GO_HTTP, GO_GRPC] = GO_EXAMPLES;

describe.skipIf(!(await hasGo()))('the Go examples', () => {
  let ratelimit: RatelimitProcess;
  let folder: string;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'go-examples-'));
    ratelimit = await startRatelimit({});
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  afterAll(async () => {
    await ratelimit.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts an example on a free port, and returns its address. */
  async function started(module: string): Promise<string> {
    const program = join(folder, 'example');
    await go(module, ['build', '-o', program, '.']);
    const [command, args] = dieWithParent('KILL', program, []);
    const env = { RATELIMIT_ADDRESS: ratelimit.address, LISTEN: '127.0.0.1:0' };
    const example = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(example, 'exit');
    ends.push(async () => {
      example.kill('SIGKILL');
      await ended;
    });
    for await (const line of createInterface(example.stdout)) return line.replace('listening on ', '');
    throw new Error(`${module} has ended`);
  }

  /** Makes requests until one is denied. Returns the number of those before it, and the denied one. */
  async function untilDenied(url: string, headers: Record<string, string>) {
    for (let admitted = 0; admitted < 200; admitted++) {
      const response = await fetch(`${url}/hello`, { headers });
      if (response.status === 429)
        return { admitted, headers: response.headers, body: await response.json() };
      expect(response.status).toBe(200);
    }
    throw new Error('no request was denied');
  }

  it('go-http answers 429 with the wait beyond 20 requests of an address, with and without ratelimit', async () => {
    const expectLimited = async () => {
      const { admitted, headers, body } = await untilDenied(await started(GO_HTTP), { 'x-api-key': 'a key' });
      expect(admitted).toBeGreaterThanOrEqual(20); // and what drains meanwhile
      expect(headers.get('retry-after')).toMatch(/^[123]$/);
      expect(headers.get('x-ratelimit-limit')).toBe('20');
      expect(body).toMatchObject({ error: 'too many requests' });
    };
    await expectLimited();
    const again = await untilDenied(await started(GO_HTTP), {});
    expect(again.admitted, 'ratelimit has counted').toBeLessThan(20);
    await ratelimit.stop();
    await expectLimited();
    ratelimit = await startRatelimit({});
  });

  it('go-grpc denies calls and streams with RESOURCE_EXHAUSTED and RetryInfo, with and without ratelimit', async () => {
    expect(await started(GO_GRPC)).toMatch(/^127\.0\.0\.1:\d+$/);
    for (const address of [ratelimit.address, '']) {
      const output = await go(GO_GRPC, ['test', '-v', '.'], { RATELIMIT_ADDRESS: address });
      expect(output.match(/^--- PASS: /gm)).toHaveLength(3);
    }
  });
});
