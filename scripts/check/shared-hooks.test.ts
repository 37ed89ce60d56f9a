import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// A worker runs many files and loads shared modules once, so a hook in a shared module would run for the first file
// only.
test('modules shared by test files have no hooks', () => {
  const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const shared = files.filter((file) => !file.endsWith('.test.ts'));
  const hooked = shared.filter((file) =>
    /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(hooked).toEqual([]);
});
