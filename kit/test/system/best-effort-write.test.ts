import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeBestEffort } from '../../src/system/best-effort-write.ts';

it('drops output for a full disk, and for a reader that is gone', () => {
  const full = openSync('/dev/full', 'w');
  expect(() => writeBestEffort(full, 'told\n')).not.toThrow();
  closeSync(full);
  expect(() => writeBestEffort(full, 'told\n')).not.toThrow();
});

it.each([1, 2])('does not wait for a stalled reader of %i, and continues once it reads', async (fd) => {
  const program = `
    const { writeBestEffort } = await import(${JSON.stringify(new URL('../../src/system/best-effort-write.ts', import.meta.url))});
    for (let n = 0; n < 100; n++) writeBestEffort(${fd}, 'x'.repeat(99_999) + '\\n');
    process.send('goes on');
    await new Promise((resolve) => process.once('message', resolve));
    writeBestEffort(${fd}, 'taken\\n');
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
});
