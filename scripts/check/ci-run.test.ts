import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const RUN = fileURLToPath(new URL('../../.ci/run', import.meta.url));
let root: string;
/** The output of the last run before its last line. */
let named: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ci-'));
  await mkdir(join(root, '.ci'));
  await copyFile(RUN, join(root, '.ci/run'));
  await chmod(join(root, '.ci/run'), 0o755);
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

/** Runs .ci/run with a script in place of each npm command, because npm itself takes most of a second to start. */
async function run(test: string, check: string, outer = "echo '0 passed, 0 failed'") {
  const commands = { test, 'run test:outer': outer, 'run check': check };
  const cases = Object.entries(commands).map(([args, script]) => `"${args}") ${script} ;;`);
  const npm = ['#!/bin/sh', 'case "$*" in', ...cases, '*) exit 127 ;;', 'esac', ''].join('\n');
  await writeFile(join(root, 'npm'), npm, { mode: 0o755 });
  const { status, stdout } = spawnSync('bash', ['.ci/run'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${root}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = stdout.trimEnd().split('\n');
  named = lines.slice(lines.indexOf('== tests and checks together') + 1, -1);
  return { status, last: lines.at(-1) };
}

test('ends with the sum of tests and checks', async () => {
  expect(await run("echo '12 passed, 0 failed, 2 skipped'", "echo '4 passed, 0 failed'")).toEqual({
    status: 0,
    last: '16 passed, 0 failed, 2 skipped',
  });
});

test('reads the total from output with arbitrary bytes', async () => {
  const odd = String.raw`printf 'a\000\377b\n'; echo '12 passed, 0 failed'`;
  expect(await run(odd, "echo '4 passed, 0 failed'")).toEqual({
    status: 0,
    last: '16 passed, 0 failed, 0 skipped',
  });
});

test('counts the outer ring', async () => {
  const [inner, check] = ["echo '12 passed, 0 failed'", "echo '4 passed, 0 failed'"];
  expect(await run(inner, check, "echo '3 passed, 0 failed, 1 skipped'")).toEqual({
    status: 0,
    last: '19 passed, 0 failed, 1 skipped',
  });
  expect(await run(inner, check, "echo '2 passed, 1 failed'; exit 1")).toEqual({
    status: 1,
    last: '18 passed, 1 failed, 0 skipped',
  });
});

test('any failure fails the run', async () => {
  expect(await run("echo '12 passed, 1 failed'; exit 1", "echo '4 passed, 0 failed'")).toEqual({
    status: 1,
    last: '16 passed, 1 failed, 0 skipped',
  });
  expect(await run("echo '12 passed, 0 failed'", "echo '3 passed, 1 failed'; exit 1")).toEqual({
    status: 1,
    last: '15 passed, 1 failed, 0 skipped',
  });
});

test('lists failures and forbidden skips at its end', async () => {
  const inner = [
    "echo 'FAILED: a.test.ts: a test: no'",
    "echo 'SKIPPED (1): not on the list in x'",
    "echo '  b.test.ts: another'",
    "echo '12 passed, 2 failed'",
    'exit 1',
  ].join('; ');
  await run(inner, "echo 'FAILED: lint'; echo '3 passed, 1 failed'; exit 1");
  expect(named).toEqual([
    'FAILED: a.test.ts: a test: no',
    'FAILED: lint',
    'SKIPPED (1): not on the list in x',
    '  b.test.ts: another',
    '12 passed, 2 failed',
  ]);
});

test('a command without a total, or one that fails in spite of its total, counts as a failure', async () => {
  expect(await run('exit 3', "echo '4 passed, 0 failed'")).toEqual({
    status: 1,
    last: '4 passed, 1 failed, 0 skipped',
  });
  expect(await run("echo '2 passed, 0 failed'; exit 3", "echo '4 passed, 0 failed'")).toEqual({
    status: 1,
    last: '6 passed, 1 failed, 0 skipped',
  });
});
