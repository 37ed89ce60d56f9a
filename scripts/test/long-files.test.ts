import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONG_FILES } from '../testing/long-files.ts';

test('the files that begin first are there, and each is named once', () => {
  const missing = LONG_FILES.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)));
  expect(missing).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});
