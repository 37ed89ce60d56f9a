import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/testing/longest-first.ts';

const HOSTILE = 'test-e2e/hostile/**/*.test.ts';
const NOWHERE = ['**/node_modules/**', '**/.toolchain/**', '**/.data/**'];

/** One more than there are cores: a file waits for a third of its time, for time-outs and for other processes. */
const WORKERS = Math.min(availableParallelism() + 1, 12);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Facts that a test waits for come late on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          globalSetup: './kit/dev-env/src/global-setup.ts',
          include: ['{proto,kit,gateway,services/*,scripts,deploy}/**/*.test.ts', 'test-e2e/**/*.test.ts'],
          exclude: [...NOWHERE, HOSTILE],
          maxWorkers: WORKERS,
          isolate: false,
        },
      },
      {
        // Others must not wait for the machine beside an attack: one file alone, and when all else is done.
        extends: true,
        test: {
          name: 'under attack',
          include: [HOSTILE],
          exclude: NOWHERE,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
