import { appendFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callersOf } from '@gatehouse/runner/callers';
import { stopAll } from '@gatehouse/runner/stop-all';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backOff } from '../src/back-off.ts';
import { PROCESSES } from '../src/processes.ts';
import { type Supervised, supervise } from '../src/supervise.ts';
import { watchLog } from '../src/watch-log.ts';

const SCRIPT = fileURLToPath(new URL('fixtures/process.ts', import.meta.url));
let dir: string;
let said: string[];
let complaints: string[];
let lost: number[];
let running: Supervised[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'supervise-'));
  said = [];
  complaints = [];
  lost = [];
  running = [];
});

afterEach(async () => {
  await stopAll(running);
  await rm(dir, { recursive: true });
});

function run(
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  log_file = join(dir, 'log'),
): Supervised {
  const one = supervise({
    name,
    args: ['--disable-warning=ExperimentalWarning', SCRIPT, ...args],
    cwd: dir,
    env: { PATH: process.env.PATH, ...env },
    log_file,
    say: (line) => said.push(line),
    onBadConfig: (text) => complaints.push(text),
    onPortLost: (port) => lost.push(port),
    stop_within_ms: name === 'stubborn' ? 1_000 : 20_000,
  });
  running.push(one);
  return one;
}

const log = () => readFile(join(dir, 'log'), 'utf8');

test('a process that cannot be spawned is tried again', async () => {
  run('one', ['stay', 'a\0b']); // Node throws here instead of emitting an event
  await expect.poll(() => said.filter((line) => line.includes('null bytes')).length).toBeGreaterThan(1);
});

test('a killed process restarts, with a line about it', async () => {
  const one = run('one', ['stay', 'one']);
  await expect.poll(log).toBe('one runs\n');
  const pid = one.pid();
  one.kill();
  await expect.poll(log).toBe('one runs\none runs\n');
  expect(one.pid()).not.toBe(pid);
  expect(said).toEqual([`one ended (signal SIGKILL); restarting it in 100 ms. Its log: ${join(dir, 'log')}`]);
});

test('the pause before the restart of a failing process grows, and its reason is reported once', async () => {
  run('one', ['fail', 'the reason']);
  await expect
    .poll(() => said.filter((line) => line.includes('restarting it in')).length)
    .toBeGreaterThanOrEqual(3);
  expect(said.slice(0, 4)).toEqual([
    expect.stringContaining('ended (code 1); restarting it in 100 ms'),
    '  the reason',
    expect.stringContaining('in 200 ms'),
    expect.stringContaining('in 400 ms'),
  ]);
  expect(await log()).toContain('at a line of a stack');
});

test('a process with invalid settings does not restart', async () => {
  run('one', ['fail', 'PORT must be a port'], { GATEHOUSE_TEST_EXIT_CODE: '78' });
  await expect.poll(() => complaints).toEqual([expect.stringContaining('PORT must be a port')]);
  expect(said).toEqual([expect.stringContaining('one cannot use its settings and is not restarted')]);
});

/** Runs processes, and resolves once all of them work. */
async function runAll(all: Readonly<Record<string, string>>): Promise<Supervised[]> {
  const started = Object.entries(all).map(([name, what]) => run(name, [what, name]));
  const runs = async () => (await log()).split('\n').filter((line) => line.endsWith('runs')).length;
  await expect.poll(runs).toBe(started.length);
  return started;
}

test('a process stops once its callers have stopped, and unrelated processes stop at the same time', async () => {
  const all = await runAll({ store: 'stay', edge: 'stay', pages: 'stay', slow: 'slow' });
  const callers: Record<string, string[]> = { store: ['slow', 'pages'], pages: ['edge'] };
  await stopAll(all, (name) => callers[name] ?? []);
  const asked = (await log()).match(/\w+ (was asked|ends)/g) ?? [];
  // The order of lines from processes that stop together is up to the machine.
  expect(asked.filter((line) => !line.startsWith('slow was'))).toEqual([
    'edge was asked',
    'pages was asked',
    'slow ends',
    'store was asked',
  ]);
  expect(asked).toContain('slow was asked');
  expect(all.map((one) => one.pid())).toEqual([undefined, undefined, undefined, undefined]);
});

test('a process that does not stop is killed, with a line about it, and no other process is', async () => {
  const all = await runAll({ stubborn: 'stubborn', other: 'stay', behind: 'stay' });
  await stopAll(all, (name) => (name === 'behind' ? ['stubborn'] : []));
  expect(await log()).toContain('behind was asked');
  expect(said).toEqual(['stubborn has not stopped within 1 s; killing it']);
});

test('nothing restarts during a stop', async () => {
  const all = await runAll({ slow: 'slow', waiting: 'stay' });
  const stopped = stopAll(all, (name) => (name === 'waiting' ? ['slow'] : []));
  all[1]?.kill();
  await stopped;
  expect((await log()).match(/waiting runs/g)).toHaveLength(1);
  expect(said).toEqual([]);
});

test('the edge and realtime stop first, and each service after its callers', () => {
  const asked: string[] = [];
  const names = PROCESSES.map(({ name }) => name);
  while (asked.length < names.length) {
    const next = names.filter(
      (name) =>
        !asked.includes(name) && !callersOf(name).some((one) => names.includes(one) && !asked.includes(one)),
    );
    expect(next).not.toEqual([]);
    asked.push(...next);
  }
  expect(asked.filter((name) => name !== 'gateway' && name !== 'realtime')).toEqual(
    expect.arrayContaining(['oauth2', 'webhook-delivery', 'chat', 'auth', 'ratelimit', 'media']),
  );
  const place = (name: string): number => asked.indexOf(name);
  for (const [one, later] of [
    ['gateway', 'oauth2'],
    ['realtime', 'chat'],
    ['webhook-delivery', 'chat'],
    ['oauth2', 'auth'],
    ['chat', 'auth'],
    ['auth', 'ratelimit'],
    ['chat', 'media'],
  ] as const)
    expect(place(one), one).toBeLessThan(place(later));
});

test('a process survives a log that cannot be written, and the log folder is created again', async () => {
  const folder = join(dir, 'logs');
  const one = run('one', ['talk', 'one'], {}, join(folder, 'one.log'));
  await expect.poll(() => readFile(join(folder, 'one.log'), 'utf8').catch(() => '')).toContain('one says');
  await rename(folder, `${folder}.gone`);
  const full = run('full', ['talk', 'full'], {}, '/dev/full');
  const nowhere = run('nowhere', ['talk', 'nowhere'], {}, '/dev/null/logs/nowhere.log');
  one.kill();
  await expect.poll(() => readFile(join(folder, 'one.log'), 'utf8').catch(() => '')).toContain('one says');
  await stopAll([one, full, nowhere]);
  expect(said.filter((line) => line.includes(' ended '))).toHaveLength(1);
});

test.each([
  ['listen EADDRINUSE: address already in use 127.0.0.1:40003', 40_003],
  [
    'No address added out of total 1 resolved errors: [listen EADDRINUSE: address already in use ::1:8081]',
    8_081,
  ],
])('a process that ends with %j has lost its port', async (words, port) => {
  run('one', ['fail', words]);
  await expect.poll(() => lost).toEqual([port]);
});

test('stopping a process that waits for its restart takes no time', async () => {
  const one = run('one', ['fail', 'x']);
  await expect.poll(() => said.length).toBeGreaterThan(0);
  await one.stop();
  expect(one.pid()).toBeUndefined();
});

test('the pause doubles from 100 ms to 5 s, and starts over after 10 s of running', () => {
  const wait = backOff();
  expect([0, 0, 0, 0, 0, 0, 0, 0].map(wait)).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect([9_999, 10_000, 0].map(wait)).toEqual([5000, 100, 200]);
});

test('new log lines at warn or above are summarized', async () => {
  const file = join(dir, 'a.log');
  await appendFile(file, '{"level":50,"msg":"old"}\n');
  const stop = watchLog('a', file, (line) => said.push(line));
  const info = '{"level":30,"msg":"fine","path":"{\\"level\\":50"}';
  const time = new Date(2026, 0, 2, 14, 5, 9).getTime();
  const error = `{"level":50,"time":${time},"err":{"message":"no such table\\nat 1"},"msg":"query failed"}`;
  await appendFile(file, `${info}\n${error}\n{"level":40,"msg":"half`);
  await expect.poll(() => said).toEqual(['14:05:09 a: query failed: no such table']);
  await appendFile(file, ' a line"}\n');
  await expect.poll(() => said).toEqual(['14:05:09 a: query failed: no such table', 'a: half a line']);
  stop();
});
