import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './scripts/testing/file-order.ts';

/** These measure how others fare meanwhile, and would measure the other files. */
const ALONE = ['test-e2e/hostile/**/*.test.ts', 'test-e2e/rolling-restart.test.ts'];
const NOWHERE = ['**/node_modules/**', '**/.toolchain/**', '**/.data/**'];

/**
 * One more than there are cores: a file waits for a third of its time, for time-outs and for other processes. With
 * one suite for all (`npm run e2e -- --compose`) files take turns, as each expects limits that nobody else uses up.
 */
const WORKERS = process.env.GATEHOUSE_SUITE_URL ? 1 : Math.min(availableParallelism() + 1, 12);

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Facts that a test waits for come late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    sequence: { sequencer: FileOrder },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          globalSetup: './kit/dev-env/src/global-setup.ts',
          include: ['{proto,kit,gateway,services/*,scripts,deploy}/**/*.test.ts', 'test-e2e/**/*.test.ts'],
          exclude: [...NOWHERE, ...ALONE],
          maxWorkers: WORKERS,
          isolate: false,
        },
      },
      {
        // One file at a time, when all else is done.
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: NOWHERE,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
