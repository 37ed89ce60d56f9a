import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backOff } from '../suite/back-off.ts';
import { stopAll } from '../suite/stop-all.ts';
import { type Supervised, supervise } from '../suite/supervise.ts';
import { watchLog } from '../suite/watch-log.ts';

const SCRIPT = fileURLToPath(new URL('fixtures/process.ts', import.meta.url));
let dir: string;
let said: string[];
let complaints: string[];
let running: Supervised[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'supervise-'));
  said = [];
  complaints = [];
  running = [];
});

afterEach(async () => {
  await stopAll(running);
  await rm(dir, { recursive: true });
});

function run(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Supervised {
  const one = supervise({
    name,
    args: ['--disable-warning=ExperimentalWarning', SCRIPT, ...args],
    cwd: dir,
    env: { PATH: process.env.PATH, ...env },
    log_file: join(dir, 'log'),
    say: (line) => said.push(line),
    onBadConfig: (text) => complaints.push(text),
  });
  running.push(one);
  return one;
}

const log = () => readFile(join(dir, 'log'), 'utf8');

test('a process that is killed is started again, and said to be', async () => {
  const one = run('one', ['stay', 'one']);
  await expect.poll(log).toBe('one runs\n');
  const pid = one.pid();
  one.kill();
  await expect.poll(log).toBe('one runs\none runs\n');
  expect(one.pid()).not.toBe(pid);
  expect(said).toEqual([
    `one ended (signal SIGKILL); starting it again in 100 ms. Its log: ${join(dir, 'log')}`,
  ]);
});

test('one that keeps failing is started ever later, and its reason said once', async () => {
  run('one', ['fail', 'the reason']);
  await expect.poll(() => said.filter((line) => line.includes('again in')).length).toBeGreaterThanOrEqual(3);
  expect(said.slice(0, 4)).toEqual([
    expect.stringContaining('ended (code 1); starting it again in 100 ms'),
    '  the reason',
    expect.stringContaining('in 200 ms'),
    expect.stringContaining('in 400 ms'),
  ]);
  expect(await log()).toContain('at a line of a stack');
});

test('one whose settings cannot be used is not started again', async () => {
  run('one', ['fail', 'PORT must be a port'], { GATEHOUSE_TEST_EXIT_CODE: '78' });
  await expect.poll(() => complaints).toEqual([expect.stringContaining('PORT must be a port')]);
  expect(said).toEqual([expect.stringContaining('one cannot use its settings and is not started again')]);
});

test('processes are asked to end in order, each once the one before has ended', async () => {
  const all = ['first', 'second', 'third'].map((name) => run(name, ['stay', name]));
  await expect
    .poll(async () => (await log()).split('\n').filter((line) => line.endsWith('runs')).length)
    .toBe(3);
  await stopAll(all);
  expect((await log()).match(/\w+ was asked/g)).toEqual([
    'first was asked',
    'second was asked',
    'third was asked',
  ]);
  expect(all.map((one) => one.pid())).toEqual([undefined, undefined, undefined]);
});

test('one that will not end is killed within 10 s, and keeps nobody else', async () => {
  const all = [run('stubborn', ['stubborn', 'stubborn']), run('other', ['stay', 'other'])];
  await expect
    .poll(async () => (await log()).split('\n').filter((line) => line.endsWith('runs')).length)
    .toBe(2);
  const startedAt = performance.now();
  await stopAll(all);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('stopping one that waits to be started again ends at once', async () => {
  const one = run('one', ['fail', 'x']);
  await expect.poll(() => said.length).toBeGreaterThan(0);
  await one.stop();
  expect(one.pid()).toBeUndefined();
});

test('back-off doubles from 100 ms to 5 s, and begins anew after 10 s of running', () => {
  const wait = backOff();
  expect([0, 0, 0, 0, 0, 0, 0, 0].map(wait)).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect([9_999, 10_000, 0].map(wait)).toEqual([5000, 100, 200]);
});

test('what a log says at warn or above is told in short, and only what is new', async () => {
  const file = join(dir, 'a.log');
  await appendFile(file, '{"level":50,"msg":"old"}\n');
  const stop = watchLog('a', file, (line) => said.push(line));
  const info = '{"level":30,"msg":"fine","path":"{\\"level\\":50"}';
  const error = '{"level":50,"err":{"message":"no such table\\nat 1"},"msg":"query failed"}';
  await appendFile(file, `${info}\n${error}\n{"level":40,"msg":"half`);
  await expect.poll(() => said).toEqual(['a: query failed: no such table']);
  await appendFile(file, ' a line"}\n');
  await expect.poll(() => said).toEqual(['a: query failed: no such table', 'a: half a line']);
  stop();
});
