import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readNonEmptyFile, writeFilesAtomically } from '../../src/system/atomic-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-whole-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes files for this user alone, and replaces existing ones', () => {
  const path = join(folder, 'new/key');
  writeFilesAtomically([{ path, text: 'first' }]);
  writeFilesAtomically([{ path, text: 'second' }]);
  expect([readNonEmptyFile(path), statSync(path).mode & 0o777]).toEqual(['second', 0o600]);
  expect(readdirSync(join(folder, 'new'))).toEqual(['key']);
});

it('leaves everything unchanged on a full disk', () => {
  const [key, cert] = [join(folder, 'full/key'), join(folder, 'full/cert')];
  writeFilesAtomically([{ path: key, text: 'old' }]);
  const module = JSON.stringify(new URL('../../src/system/atomic-files.ts', import.meta.url).href);
  const code = `import { writeFilesAtomically } from ${module};
    writeFilesAtomically([
      { path: ${JSON.stringify(key)}, text: 'new' },
      { path: ${JSON.stringify(cert)}, text: 'x'.repeat(4096) },
    ]);`;
  // Limits files to 1 KiB: a longer write fails, as on a full disk.
  const limited = `trap '' XFSZ; ulimit -f 1; exec "$0" --input-type=module -e "$1"`;
  const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, code], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('EFBIG') });
  expect(readFileSync(key, 'utf8')).toBe('old');
  expect(readdirSync(join(folder, 'full'))).toEqual(['key']);
});

it.each(['', '\n'])('treats an empty file (%j) as missing', (text) => {
  const path = join(folder, 'empty');
  writeFileSync(path, text);
  expect([readNonEmptyFile(path), readNonEmptyFile(join(folder, 'none'))]).toEqual([undefined, undefined]);
});
