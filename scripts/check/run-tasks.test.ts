import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runTasks } from './run-tasks.ts';

let root: string;
const write = (path: string, content: object | string) =>
  writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));

/** A project with root tasks. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tasks-'));
  const scripts = { count: 'echo again >> ran.log', read: 'cat input && exit 3' };
  await write('package.json', { name: 'all', packageManager: 'npm@11.0.0', workspaces: ['one'], scripts });
  await write('package-lock.json', { name: 'all', lockfileVersion: 3, packages: { '': { name: 'all' } } });
  await write('.gitignore', '*.log\n.turbo\nnode_modules\n');
  const inputs = ['input'];
  await write('turbo.json', {
    cacheDir: 'node_modules/.cache/turbo',
    tasks: { '//#count': { inputs }, '//#read': { inputs } },
  });
  await write('input', 'one\n');
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

test('reports which tasks passed, and the output of the others', () => {
  const outcomes = runTasks(root, ['count', 'read']);
  expect(outcomes.get('count')).toEqual({ passed: true, output: '' });
  expect(outcomes.get('read')).toMatchObject({ passed: false, output: expect.stringContaining('one\n') });
});

test('does not repeat a task that passed on the same files', async () => {
  const runs = async () => {
    runTasks(root, ['count']);
    return (await readFile(join(root, 'ran.log'), 'utf8')).split('\n').length - 1;
  };
  expect(await runs()).toBe(1);
  expect(await runs()).toBe(1);
  await write('input', 'two\n');
  expect(await runs()).toBe(2);
});

test('if turbo runs nothing, nothing passed', async () => {
  await write('turbo.json', '{');
  expect(runTasks(root, ['count', 'read'])).toEqual(
    new Map(['count', 'read'].map((name) => [name, { passed: false, output: expect.stringMatching(/./) }])),
  );
});
