import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{proto,kit,gateway,services/*,scripts}/**/*.test.ts', 'test-e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
});
