import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withEarlierContracts } from '../check/earlier-contracts.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'contracts-'));
  await mkdir(join(root, 'proto'));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: root, stdio: 'pipe' });

async function write(text: string): Promise<void> {
  await writeFile(join(root, 'proto/buf.yaml'), 'version: v2\n');
  await writeFile(join(root, 'proto/a.proto'), text);
}

async function commit(text: string): Promise<void> {
  await write(text);
  git('add', '.');
  git('commit', '-m', text);
}

const earlier = () =>
  withEarlierContracts(
    root,
    (folder) => readFileSync(join(folder, 'a.proto'), 'utf8'),
    (reason) => reason,
  );

describe.runIf(spawnSync('git', ['--version']).status === 0)('the contracts before their last change', () => {
  test('are those before the last commit that touched them, or the committed ones under an edit', async () => {
    git('init', '--quiet');
    await commit('one');
    expect(earlier()).toContain('no earlier version');
    await commit('two');
    await writeFile(join(root, 'README.md'), 'later');
    git('add', '.');
    git('commit', '-m', 'not a contract');
    expect(earlier()).toBe('one');
    await write('three');
    expect(earlier()).toBe('two');
  });

  test('are none outside of a clone', async () => {
    await write('one');
    expect(earlier()).toContain('no earlier version');
  });
});
