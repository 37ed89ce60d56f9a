import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{proto,kit,gateway,services/*,scripts}/**/*.test.ts', 'test-e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.toolchain/**', '**/.data/**'],
    globalSetup: './kit/src/testing/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Facts that a test waits for come late on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
  },
});
