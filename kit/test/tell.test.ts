import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tell } from '../src/tell.ts';

it('drops what a full disk does not take, and what nobody reads any more', () => {
  const full = openSync('/dev/full', 'w');
  expect(() => tell(full, 'told\n')).not.toThrow();
  closeSync(full);
  expect(() => tell(full, 'told\n')).not.toThrow();
});

it.each([1, 2])(
  'does not wait for a reader of %i that takes nothing, and goes on once it does',
  async (fd) => {
    const program = `
    const { tell } = await import(${JSON.stringify(new URL('../src/tell.ts', import.meta.url))});
    for (let n = 0; n < 100; n++) tell(${fd}, 'x'.repeat(99_999) + '\\n');
    process.send('goes on');
    await new Promise((resolve) => process.once('message', resolve));
    tell(${fd}, 'taken\\n');
    process.disconnect();
  `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    expect(await once(child, 'message')).toContain('goes on');
    const reader = fd === 1 ? child.stdout : child.stderr;
    let read = '';
    reader?.setEncoding('utf8').on('data', (text: string) => {
      read += text;
    });
    await expect.poll(() => read.length).toBeGreaterThan(64 * 1024);
    child.send('on');
    await once(child, 'close');
    expect(read.split('\n').at(-2)).toBe('taken');
  },
);
