import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** These measure how others fare meanwhile, and would measure the other files. */
const ALONE = [
  'test-e2e/hostile/**/*.outer.test.ts',
  'test-e2e/rolling-restart.outer.test.ts',
  'test-e2e/console/suspension-races.outer.test.ts',
];
const OUTER = '**/*.outer.test.ts';
const NOWHERE = ['**/node_modules/**', '**/.toolchain/**', '**/.data/**'];

/**
 * One more than there are cores: a file waits for a third of its time, for time-outs and for other processes. With
 * one stack for all (`npm run e2e -- --compose`) files take turns, as each expects limits that nobody else uses up.
 */
const WORKERS = process.env.GATEHOUSE_STACK_URL
  ? 1
  : Number(process.env.GATEHOUSE_TEST_WORKERS ?? Math.min(availableParallelism() + 1, 12));

/** The rings of tests (CONTRIBUTING.md#tests). */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Facts that a test waits for come late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // A failure on another machine is known by its one line (scripts/testing/failures.ts).
    chaiConfig: { truncateThreshold: 500 },
    pool: 'forks',
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'inner',
          globalSetup: './kit/dev-env/src/global-setup.ts',
          include: ['**/*.test.ts'],
          exclude: [...NOWHERE, OUTER],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'outer',
          globalSetup: './kit/dev-env/src/global-setup.ts',
          include: [OUTER],
          exclude: [...NOWHERE, ...ALONE],
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
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
          isolate: true,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
