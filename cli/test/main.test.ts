import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

test('the command starts, and survives a reader that closes the pipe early', async () => {
  const child = spawn(process.execPath, [MAIN, 'routes'], { env: { PATH: process.env.PATH }, stdio: 'pipe' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([0, '']);
});

test.each([
  ['a command', 'limits', ['gatehouse', 'lim']],
  ['a subcommand', 'explain', ['gatehouse', 'limits', 'ex']],
  ['an option', '--follow', ['gatehouse', 'auth', 'events', '--fo']],
  ['an argument with choices', 'codehost', ['gatehouse', 'webhooks', 'try', 'code']],
])('bash completes %s to %s', async (_, expected, words) => {
  const { stdout } = await runCommand(['completion', 'bash']);
  const line = `${stdout}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _gatehouse; echo "\${COMPREPLY[*]}"`;
  expect(execFileSync('bash', ['-c', line], { encoding: 'utf8' })).toBe(`${expected}\n`);
});
