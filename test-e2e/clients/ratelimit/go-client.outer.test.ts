import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GO_CLIENT, GO_EXAMPLES, go, hasGo } from './go-modules.ts';
import { type RatelimitProcess, startRatelimit } from './ratelimit-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXAMPLE = join(GO_CLIENT, 'example/reports/main.go');

const CONTRACT = 'proto/gatehouse/ratelimit/v1/ratelimit.proto';

/** The buckets of clients/go/real_test.go. */
const ROWS = {
  'test:thousand': { limit: 1000, window_seconds: 3600, key: ['account'] },
  'test:exports': { limit: 5, window_seconds: 3, key: ['account'], kind: 'concurrency' },
};

/** The reports that are taken, and the wait of the eleventh: 360 s, less the time since the first. */
const OUTPUT = new RegExp(
  `^${Array.from({ length: 10 }, (_, n) => `report ${n + 1} is taken\n`).join('')}report 11 has to wait 3[56]\\d s\n$`,
);

describe.skipIf(!(await hasGo()))('the Go client of ratelimit', () => {
  let ratelimit: RatelimitProcess;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'go-client-'));
    ratelimit = await startRatelimit(ROWS);
  });
  afterAll(async () => {
    await ratelimit.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is formatted, passes go vet, and passes its tests with a ratelimit', async () => {
    for (const module of [GO_CLIENT, ...GO_EXAMPLES]) {
      expect(await go(module, ['vet', './...'])).toBe('');
      expect((await execFileAsync('gofmt', ['-l', '.'], { cwd: module })).stdout).toBe('');
    }
    const output = await go(GO_CLIENT, ['test', '-v', './...'], { RATELIMIT_ADDRESS: ratelimit.address });
    expect(output).not.toMatch(/^\s*--- (?:FAIL|SKIP)/m);
    for (const test of ['ExactlyTheLimitIsAdmitted', 'ARefundAdmitsAgain', 'LeasesHoldPermits'])
      expect(output).toContain(`--- PASS: TestReal${test}`);
  });

  it('checks, and holds and releases leases, over mutual TLS, as `platform`', async () => {
    const certificates = await openCertificateFolder(folder, { name: 'a test', valid_days: 1 });
    for (const name of ['ratelimit', 'platform'])
      await certificates.issue(name, { domain: 'gatehouse.internal', valid_days: 1 });
    const secure = await startRatelimit(ROWS, {
      RPC_TLS_CERT: join(folder, 'ratelimit.pem'),
      RPC_TLS_KEY: join(folder, 'ratelimit-key.pem'),
      RPC_TLS_CA: join(folder, 'ca.pem'),
    });
    try {
      const env = { RATELIMIT_ADDRESS: secure.address, RATELIMIT_TLS_DIR: folder };
      const output = await go(GO_CLIENT, ['test', '-v', '-run', '^TestReal', '.'], env);
      expect(output.match(/^--- PASS: TestReal/gm)).toHaveLength(4);
    } finally {
      await secure.stop();
    }
  });

  it('has the stubs of the contract: npm run generate:go', async () => {
    const args = ['generate', 'proto', '--template', 'clients/go/buf.gen.yaml', '-o', folder];
    await execFileAsync('buf', [...args, '--path', CONTRACT], { cwd: ROOT });
    const [fresh, committed] = [join(folder, 'clients/go/ratelimitv1'), join(GO_CLIENT, 'ratelimitv1')];
    const files = await readdir(fresh);
    expect(await readdir(committed)).toEqual(files);
    for (const file of files)
      expect(await readFile(join(committed, file), 'utf8'), file).toBe(
        await readFile(join(fresh, file), 'utf8'),
      );
  });

  it('is added to an empty module as the README says, and runs the README’s example', async () => {
    const example = await readFile(EXAMPLE, 'utf8');
    expect(await readFile(join(GO_CLIENT, 'README.md'), 'utf8')).toContain(`\`\`\`go\n${example}\`\`\`\n`);
    const module = await mkdtemp(join(folder, 'empty-'));
    await go(module, ['mod', 'init', 'example.com/empty']);
    await go(module, ['mod', 'edit', '-replace', `gatehouse.dev/ratelimit=${GO_CLIENT}`]);
    await go(module, ['get', 'gatehouse.dev/ratelimit@v0.0.0']);
    await writeFile(join(module, 'main.go'), example);
    await go(module, ['build', '-o', 'reports', '.']);
    const run = async () =>
      (
        await execFileAsync(join(module, 'reports'), {
          env: { RATELIMIT_ADDRESS: ratelimit.address },
        })
      ).stdout;
    expect(await run()).toMatch(OUTPUT);
    expect(await run(), 'ratelimit has counted').not.toContain('taken');
    await ratelimit.stop();
    expect(await run(), 'without ratelimit the process counts by itself').toMatch(OUTPUT);
  });
});
