import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { expect, it } from 'vitest';
import { docsExample } from '../../support/docs-example.ts';
import type { TestStack } from '../../support/stack.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The first program of README.md, with @gatehouse/sdk. */
export function firstCall(stack: TestStack): void {
  it('@gatehouse/sdk registers, makes a guild and posts a message, by the program in README.md', async () => {
    const username = `u_${randomBytes(8).toString('hex')}`;
    const program = docsExample('../README.md', 'js', '@gatehouse/sdk')
      .replace('http://127.0.0.1:8080', stack.url)
      .replace("'ann'", `'${username}'`)
      .replace('ann@', `${username}@`);
    const { stdout } = await execFileAsync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: ROOT,
    });
    expect(stdout).toBe(`${username} said Hello in Workshop\n`);
  });
}
