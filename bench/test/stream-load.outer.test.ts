import { spawnSync } from 'node:child_process';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { silentLogger } from '@gatehouse/kit/log';
import { readConfig } from '@gatehouse/ratelimit/config';
import { start } from '@gatehouse/ratelimit/start';
import { describe, expect, test } from 'vitest';
import { buildStreamLoad, streamLoad } from '../callers/stream-load.ts';

const goIsMissing = spawnSync('go', ['version']).status !== 0;
if (goIsMissing) process.stderr.write('SKIPPED: the load of CheckStream. Put go (1.26 or later) on PATH\n');

describe.skipIf(goIsMissing)('the load generator of CheckStream', () => {
  test('makes checks that are decided, and counts them', async () => {
    const { path, remove } = await testDataFolder('stream-load');
    const config = readConfig({ LISTEN: '127.0.0.1:0', LOG_LEVEL: 'silent' });
    const service = await start(config, { log: silentLogger });
    try {
      const program = await buildStreamLoad(path);
      const { calls, failed, p50_ms } = await streamLoad(program, service.address, 64);
      expect(calls).toBeGreaterThanOrEqual(64);
      expect(failed).toBe(0);
      expect(p50_ms).toBeGreaterThan(0);
    } finally {
      await service.close();
      await remove();
    }
  }, 120_000);
});
