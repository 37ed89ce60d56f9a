import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { pythonEnvironment } from '@gatehouse/dev-env/programs/python-packages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatePython } from '../generate.ts';
import { installClient, testPackages } from './installed-client.ts';
import { type RatelimitProcess, startRatelimit } from './ratelimit-process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GENERATED = 'src/gatehouse_ratelimit/_gen/gatehouse/ratelimit/v1';
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

const EXPORT = { kind: 'concurrency', limit: 2, window_seconds: 30, key: ['account'] };

/** The reports that are taken, and the wait of the eleventh: 360 s, less the time since the first. */
const REPORTS = new RegExp(
  `^${Array.from({ length: 10 }, (_, n) => `report ${n + 1} is taken\n`).join('')}report 11 has to wait 3[56]\\d s\n$`,
);

describe.skipIf(testPackages === undefined)('the Python client', () => {
  let folder: string;
  let client: Awaited<ReturnType<typeof installClient>>;
  let ratelimit: RatelimitProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-python-'));
    const rules = join(folder, 'buckets.json');
    const reference = readFileSync(
      fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json')),
      'utf8',
    );
    writeFileSync(rules, JSON.stringify({ ...JSON.parse(reference), export: EXPORT }));
    [client, ratelimit] = await Promise.all([
      installClient(),
      startRatelimit({ RATELIMIT_RULES_FILE: rules }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([client.remove(), ratelimit.stop()]);
    rmSync(folder, { recursive: true });
  });

  /** Runs Python with the installed client, and returns its output. */
  async function python(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const found = pythonEnvironment([client.folder, testPackages].join(delimiter));
    const options = { cwd: ROOT, env: { ...found, RATELIMIT_ADDRESS: ratelimit.address, ...env } };
    const outcome = await promisify(execFile)('python3', args, options).catch((error: unknown) => error);
    const { stdout, stderr, code = 0 } = outcome as { stdout: string; stderr: string; code?: number };
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    return stdout;
  }

  it('passes its own tests and the cases of all clients, installed from the wheel', async () => {
    const output = await python(['-m', 'pytest', '--quiet', '-rs', 'tests']);
    expect(output).toMatch(/\b\d{3} passed in /);
    expect(output).not.toContain('skipped');
  });

  it('has code that is generated from the current contract', async () => {
    const generated = join(folder, 'generated');
    expect(await generatePython(generated)).toBe(true);
    const files = readdirSync(join(generated, GENERATED));
    expect(files).toEqual(readdirSync(join(ROOT, GENERATED)).filter((file) => /\.pyi?$/.test(file)));
    for (const file of files)
      expect(readFileSync(join(ROOT, GENERATED, file), 'utf8'), 'npm run generate:python').toBe(
        readFileSync(join(generated, GENERATED, file), 'utf8'),
      );
  });

  it.each(['reports.py', 'reports_async.py'])('has the example %s in its README', (file) => {
    expect(README).toContain(`\`\`\`python\n${readFileSync(join(ROOT, 'example', file), 'utf8')}\`\`\`\n`);
  });

  it('runs the examples with ratelimit and without it', async () => {
    const away = { RATELIMIT_ADDRESS: '127.0.0.1:1' };
    expect(await python(['example/reports.py'])).toMatch(REPORTS);
    expect(await python(['example/reports.py'])).not.toContain('is taken');
    expect(await python(['example/reports.py'], away)).toMatch(REPORTS);
    const taken = '10 of 12 reports are taken\n';
    expect(await python(['example/reports_async.py'])).toBe(taken);
    expect(await python(['example/reports_async.py'])).toBe('0 of 12 reports are taken\n');
    expect(await python(['example/reports_async.py'], away)).toBe(taken);
  });

  it('calls ratelimit over mutual TLS, and decides by itself if the certificate is another one’s', async () => {
    const tls = join(folder, 'tls');
    const certificates = await openCertificateFolder(tls, { name: 'test', valid_days: 1 });
    for (const name of ['ratelimit', 'platform', 'media'])
      await certificates.issue(name, { domain: 'gatehouse.internal', valid_days: 1 });
    const secure = await startRatelimit({
      RPC_TLS_CERT: join(tls, 'ratelimit.pem'),
      RPC_TLS_KEY: join(tls, 'ratelimit-key.pem'),
      RPC_TLS_CA: join(tls, 'ca.pem'),
    });
    try {
      const say = (...names: string[]) => python(['tests/tls_client.py', secure.address, tls, ...names]);
      expect(await say('platform', 'ratelimit', 'sync')).toBe('admitted by ratelimit\n');
      expect(await say('platform', 'ratelimit', 'async')).toBe('admitted by ratelimit\n');
      expect(await say('platform', 'auth', 'sync')).toBe('admitted by this process\n');
      expect(await say('media', 'ratelimit', 'sync')).toBe('PERMISSION_DENIED\n');
      expect(await say('media', 'ratelimit', 'async')).toBe('PERMISSION_DENIED\n');
    } finally {
      await secure.stop();
    }
  });
});
