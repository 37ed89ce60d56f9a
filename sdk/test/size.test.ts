import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, it } from 'vitest';

/** Of everything that `@gatehouse/sdk` exports, with openapi-fetch. */
const LIMIT_BYTES = 15_000;

it('is small: a page that takes all of it loads less than 15 KB, gzipped', async () => {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2023',
      lib: {
        entry: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
        formats: ['es'],
        fileName: 'sdk',
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [];
  const chunks = output?.output.flatMap((file) => (file.type === 'chunk' ? file.code : [])) ?? [];
  expect(chunks).toHaveLength(1);
  const [code = ''] = chunks;
  expect(code, 'openapi-fetch is in it').toContain('querySerializer');
  const { length } = gzipSync(code);
  process.stdout.write(`@gatehouse/sdk: ${length} bytes gzipped\n`);
  expect(length).toBeLessThan(LIMIT_BYTES);
});
