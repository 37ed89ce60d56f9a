import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type TestCertificates, testCertificates } from '@gatehouse/dev-env/certificates';
import { ONE_TRUSTED_HOP, RATELIMIT_ENABLED } from '@gatehouse/stack/envoy/changes';
import { type ConfigurationOptions, writeConfiguration } from '@gatehouse/stack/envoy/configuration';
import { envoyIsMissing, program } from '@gatehouse/stack/envoy/running-envoy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withInternalServices } from '../../scripts/manifest/internal-envoy.ts';

const run = promisify(execFile);
const deployed = (name: string) =>
  readFileSync(new URL(`../../deploy/envoy/${name}`, import.meta.url), 'utf8');

describe.skipIf(envoyIsMissing)('Envoy takes', () => {
  let certificates: TestCertificates;
  beforeAll(async () => {
    certificates = await testCertificates('envoy', 'envoy-internal', 'front');
  });
  afterAll(() => certificates?.close());

  it.each<[string, ConfigurationOptions]>([
    ['front.yaml', { file: 'front.yaml' }],
    ['front.yaml behind a load balancer', { file: 'front.yaml', changes: [ONE_TRUSTED_HOP] }],
    ['front.yaml with ratelimit', { file: 'front.yaml', changes: [RATELIMIT_ENABLED] }],
    ['internal.yaml', { file: 'internal.yaml' }],
  ])('%s, without warnings', async (_, options) => {
    const { folder, path } = await writeConfiguration({ ...options, tls_dir: certificates.folder });
    try {
      const flags = ['--mode', 'validate', '--log-level', 'warning', '-c', path];
      const { stdout, stderr } = await run(program ?? 'envoy', flags);
      expect(stdout + stderr).toBe(`configuration '${path}' OK\n`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('what deploy/envoy says', () => {
  it('allows the calls allowed in proto/services.ts', () => {
    const text = deployed('internal.yaml');
    expect(withInternalServices(text) === text, 'run `npm run generate`').toBe(true);
  });

  it('of the lines to change matches those lines', () => {
    const readme = deployed('README.md');
    for (const [from, to] of [ONE_TRUSTED_HOP, RATELIMIT_ENABLED])
      expect([readme.includes(from), readme.includes(to.split(' ').at(-1) ?? '')]).toEqual([true, true]);
  });
});
