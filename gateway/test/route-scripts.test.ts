import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));

/** Runs a script as npm would, after the toolchain. */
async function run(script: string, ...args: string[]) {
  const command = [`${SCRIPTS}${script}`, ...args];
  return promisify(execFile)(process.execPath, command).then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({
      stdout,
      stderr,
      code,
    }),
  );
}

describe('npm run generate', () => {
  it('has --help, and refuses unknown options', async () => {
    const help = await run('generate.ts', '--help');
    expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^npm run \w+/)]);
    const wrong = await run('generate.ts', '--nonsense');
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(/--nonsense[\s\S]*npm run/);
  });
});

describe('npm run generate -- --check', () => {
  it('ends with 0 while the pages are up to date', async () => {
    expect(await run('generate.ts', '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
