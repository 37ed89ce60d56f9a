import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@gatehouse/dev-env/free-port';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectRateLimits } from '../src/client.ts';

const EXAMPLE = fileURLToPath(new URL('../example/reports.ts', import.meta.url));
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const SERVICE = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Less than the whole wait if the ten before took a second. */
const OUTPUT = new RegExp(
  `^${Array.from({ length: 10 }, (_, n) => `report ${n + 1} is taken\n`).join('')}report 11 has to wait 3[56]\\d s\n$`,
);

const PATH = process.env.PATH ?? '';

/** Runs the example as a process, and returns its output. */
async function run(RATELIMIT_ADDRESS: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE], {
    env: { PATH, RATELIMIT_ADDRESS },
  });
  return stdout;
}

describe('the example', () => {
  let address: string;
  let end: () => Promise<void>;
  beforeAll(async () => {
    address = `127.0.0.1:${await freePort()}`;
    const service = spawn(process.execPath, [SERVICE], { env: { PATH, LISTEN: address }, stdio: 'ignore' });
    end = async () => {
      const ended = once(service, 'exit');
      if (service.kill()) await ended;
    };
    const limits = connectRateLimits(address);
    const read = () => limits.peek([{ bucket: 'report', identities: ['account:1'] }]);
    const answers = () => read().then(Boolean, () => false);
    await vi.waitUntil(answers, { timeout: 30_000, interval: 50 });
    limits.close();
  });
  afterAll(() => end());

  it('is the README’s', async () => {
    expect(await readFile(README, 'utf8')).toContain(`\`\`\`ts\n${await readFile(EXAMPLE, 'utf8')}\`\`\`\n`);
  });

  it('counts at ratelimit, and by itself without one', async () => {
    expect(await run(address)).toMatch(OUTPUT);
    const again = await run(address);
    expect(
      again.split('\n').filter((line) => line.includes('taken')),
      'ratelimit has counted',
    ).toEqual([]);
    await end();
    expect(await run(address)).toMatch(OUTPUT);
  });
});
