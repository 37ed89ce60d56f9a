import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packRatelimitClient } from '../../pack/pack-packages.ts';
import { type Consumer, openConsumer } from './consumer.ts';
import { type RunningProgram, startProgram, startRatelimit } from './program.ts';

const EXAMPLES = fileURLToPath(new URL('../../../services/ratelimit/client/example/', import.meta.url));
const BUCKETS = fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json'));
const NOWHERE = '127.0.0.1:1';
const RULES = {
  exports: { limit: 2, window_seconds: 30, key: ['account'], kind: 'concurrency' },
};
/** The reports that are taken, and the wait of the eleventh: 360 s, less the time since the first. */
const REPORTS = new RegExp(
  `^${Array.from({ length: 10 }, (_, n) => `report ${n + 1} is taken\n`).join('')}report 11 has to wait 3[56]\\d s\n$`,
);
const EXPORTS = ['2 exports run already', 'exported', 'exported', 'then: exported', ''].join('\n');

let consumer: Consumer;
beforeAll(async () => {
  consumer = await openConsumer({
    pack: packRatelimitClient,
    readme: '@gatehouse/ratelimit-client',
    example: 'express',
  });
});
afterAll(() => consumer.remove());

/** A file of ratelimit's reference with further rows. */
function rulesWith(rows: object): string {
  const file = join(consumer.folder, 'rules.json');
  writeFileSync(file, JSON.stringify({ ...readJson(BUCKETS), ...rows }));
  return file;
}

function readJson(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8'));
}

describe('the packages, installed in an empty project', () => {
  it('are JavaScript and declarations, without the rest of the workspace', () => {
    const installed = join(consumer.folder, 'node_modules/@gatehouse');
    expect(readdirSync(installed).sort()).toEqual(['proto', 'ratelimit-client']);
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(files).toContain('ratelimit-client/dist/client.js');
  });

  it.each([
    ['esnext', 'bundler'],
    ['nodenext', 'nodenext'],
  ])('compile with module %s and moduleResolution %s', async (module, resolution) => {
    await consumer.compile(module, resolution);
  });
});

describe('the programs of the README', () => {
  let ratelimit: RunningProgram;
  beforeAll(async () => {
    ratelimit = await startRatelimit(rulesWith(RULES));
    await consumer.compile('nodenext', 'nodenext');
  });
  afterAll(() => ratelimit.stop());

  async function run(node: string | undefined, program: number, address: string): Promise<string> {
    const file = join(consumer.folder, `built/program-${program}.js`);
    const { stdout } = await execFileAsync(node ?? process.execPath, [file], {
      env: { PATH: process.env.PATH ?? '', RATELIMIT_ADDRESS: address },
    });
    return stdout;
  }

  it('are the files of example/', () => {
    const files = ['reports.ts', 'exports.ts'].map((file) => readFileSync(join(EXAMPLES, file), 'utf8'));
    expect(consumer.programs).toEqual(files);
  });

  it('count at ratelimit, and by themselves without it', async () => {
    expect(await run(undefined, 0, ratelimit.address)).toMatch(REPORTS);
    expect(await run(undefined, 0, ratelimit.address), 'ratelimit has counted').not.toContain('taken');
    expect(await run(undefined, 0, NOWHERE)).toMatch(REPORTS);
    expect(await run(undefined, 1, ratelimit.address)).toBe(EXPORTS);
  });

  it('run on the oldest Node', async () => {
    expect(await run(consumer.oldestNode, 0, NOWHERE)).toMatch(REPORTS);
    expect(await run(consumer.oldestNode, 1, ratelimit.address)).toBe(EXPORTS);
  });
});

describe('the example of Express', () => {
  let ratelimit: RunningProgram;
  let app: RunningProgram;
  beforeAll(async () => {
    ratelimit = await startRatelimit(join(consumer.folder, 'limits.json'));
    await consumer.compile('nodenext', 'nodenext');
    const port = await freePort();
    const file = join(consumer.folder, 'built/app.js');
    app = await startProgram(port, file, { PORT: String(port), RATELIMIT_ADDRESS: ratelimit.address });
  });
  afterAll(() => Promise.all([app.stop(), ratelimit.stop()]));

  const search = (key: string) =>
    fetch(`http://${app.address}/search?q=cats`, { headers: { 'x-api-key': key } });

  /** Fetches until 429. Returns the number of responses before it, and the 429. */
  async function untilDenied(key: (n: number) => string): Promise<{ admitted: number; denied: Response }> {
    for (let admitted = 0; admitted < 1000; admitted++) {
      const response = await search(key(admitted));
      if (response.status === 429) return { admitted, denied: response };
      expect(await response.json()).toEqual({ found: 'cats' });
    }
    throw new Error('no request was denied');
  }

  it('limits by API key, then by address, with the headers and body of a 429', async () => {
    const { admitted, denied } = await untilDenied(() => 'mine');
    expect(admitted).toBeGreaterThanOrEqual(20); // and what drains meanwhile
    expect(denied.headers.get('retry-after')).toBe('1');
    expect(denied.headers.get('x-ratelimit-limit')).toBe('20');
    expect(await denied.json()).toMatchObject({ code: 'RATE_LIMITED', global: false });
    const others = await untilDenied((n) => `key ${n}`);
    expect(others.denied.headers.get('x-ratelimit-limit'), 'all keys share the address').toBe('50');
  });

  it('goes on without ratelimit', async () => {
    await ratelimit.stop();
    await expect.poll(async () => (await search('another')).status).toBe(200);
    const { denied } = await untilDenied(() => 'another');
    expect(denied.headers.get('x-ratelimit-limit')).toBe('20');
  });
});
