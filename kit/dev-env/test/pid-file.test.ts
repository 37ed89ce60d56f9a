import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdPidFile } from '../src/processes/pid-file.ts';

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pid-file-'));
  path = join(dir, 'lock');
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

/** A process that takes the file when its standard input ends, and prints whether it holds it. */
function contender() {
  const module = JSON.stringify(new URL('../src/processes/pid-file.ts', import.meta.url).href);
  const code = `import { holdPidFile } from ${module};
    for await (const _ of process.stdin);
    try { holdPidFile(${JSON.stringify(path)}, 'it'); console.log('held') } catch { console.log('refused') }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { child, said: once(child.stdout, 'data').then(([text]) => String(text).trim()) };
}

test('is held until released', () => {
  const release = holdPidFile(path, 'the folder');
  expect(() => holdPidFile(path, 'the folder')).toThrow(`the folder is in use by process ${process.pid}`);
  release();
  expect(existsSync(path)).toBe(false);
  holdPidFile(path, 'the folder')();
});

test('a file of a process that has ended does not count', async () => {
  const first = contender();
  first.child.stdin.end();
  expect(await first.said).toBe('held');
  expect(() => holdPidFile(path, 'it')).toThrow(`in use by process ${first.child.pid}`);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  holdPidFile(path, 'it')();
});

test('an empty file, which a crash of the machine leaves, does not count', async () => {
  await writeFile(path, '');
  holdPidFile(path, 'it')();
});

test('a file whose process ID was reused does not count', async () => {
  await writeFile(path, `${process.pid} 1\n`);
  const release = holdPidFile(path, 'it');
  expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid} \\d+\\n$`));
  release();
});

test('release does not remove a file of another process', async () => {
  const release = holdPidFile(path, 'it');
  await writeFile(path, '1 1\n');
  release();
  expect(await readFile(path, 'utf8')).toBe('1 1\n');
});

test('one of many processes that find a stale file gets it, and no other file is left', async () => {
  await writeFile(path, '999999999 1\n');
  const contenders = Array.from({ length: 8 }, contender);
  try {
    for (const { child } of contenders) child.stdin.end();
    const said = await Promise.all(contenders.map((one) => one.said));
    expect(said.filter((word) => word === 'held')).toHaveLength(1);
    expect(await readdir(dir)).toEqual(['lock']);
  } finally {
    for (const { child } of contenders) child.kill('SIGKILL');
  }
});
