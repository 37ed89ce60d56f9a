import { defineConfig } from 'vitest/config';

const HOSTILE = 'test-e2e/hostile/**/*.test.ts';
const NOWHERE = ['**/node_modules/**', '**/.toolchain/**', '**/.data/**'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Facts that a test waits for come late on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          globalSetup: './kit/dev-env/src/global-setup.ts',
          include: ['{proto,kit,gateway,services/*,scripts}/**/*.test.ts', 'test-e2e/**/*.test.ts'],
          exclude: [...NOWHERE, HOSTILE],
        },
      },
      {
        // Others must not wait for the machine beside an attack: one file alone, and when all else is done.
        extends: true,
        test: { name: 'under attack', include: [HOSTILE], exclude: NOWHERE, maxWorkers: 1 },
      },
    ],
  },
});
